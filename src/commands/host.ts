// What a command may use of the process it runs in. main.ts makes it; nothing else touches its environment,
// arguments, signals and output.

import type { Config } from '../config/config.ts'
import type { PackedPostgres } from '../runtime/executable.ts'
import type { Certificate } from '../config/certificate.ts'
import type { Log } from '../runtime/log.ts'

export interface Host {
  config: Config
  /** How the program was called, for hints. */
  program: string
  log: Log
  /** The words after the command's name. */
  args: readonly string[]
  /** Writes to standard output: what the command is for, never a log. */
  print(text: string): void
  /** Writes whole lines of the log that other processes made. */
  writeLog(lines: Uint8Array): void
  /** Comes when somebody asks the process to end. */
  stopped: Promise<string>
  /** The PostgreSQL inside the single executable. */
  packedPostgres: PackedPostgres | undefined
  /** The certificate as it is now. Throws what is wrong with it. */
  readCertificate(): Certificate | undefined
  /** Calls when somebody says that files were replaced. */
  whenToldToReload(listener: () => void): void
  /** Where node_modules may be. */
  binaryRoots: string[]
  path: string
}

/** The command was called in a way that it does not know. */
export class UsageError extends Error {
  override name = 'UsageError'
}
