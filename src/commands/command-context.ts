// Declares what a command receives from main.ts, the only file that uses the environment, arguments, signals and
// output.

import type { Config } from '../config/config.ts'
import type { PackedPostgres } from '../runtime/program.ts'
import type { Certificate } from '../config/certificate.ts'
import type { Log, LogStyle } from '../runtime/log.ts'
import type { Progress } from '../runtime/progress.ts'

export interface CommandContext {
  config: Config
  /** The command line of the program, for hints. */
  program: string
  /** The same as words with absolute paths, without settings. */
  commandLine: readonly string[]
  log: Log
  logStyle: LogStyle
  /** Shows the progress of long work on standard error, or in the log of the service. */
  progress: Progress
  /** The arguments after the command's name. */
  args: readonly string[]
  /** Writes the output of the command to standard output, never log lines. */
  print(text: string): void
  /** Standard output, for more than print() should take. */
  output: NodeJS.WritableStream
  /** Standard input. */
  input: AsyncIterable<Uint8Array>
  /** Asks a person at the terminal to confirm something. Undefined without a terminal. */
  ask: ((question: string) => Promise<boolean>) | undefined
  /** Writes whole log lines of other processes. */
  writeLog(lines: Uint8Array): void
  /** Resolves when the process is asked to stop. */
  stopped: Promise<string>
  /** The PostgreSQL that the single executable contains. */
  packedPostgres: PackedPostgres | undefined
  /** Reads the current certificate. Throws if it is not valid. */
  readCertificate(): Certificate | undefined
  /** Calls the listener when the process receives SIGHUP. */
  onReload(listener: () => void): void
  /** Folders to search for node_modules. */
  binaryRoots: string[]
  path: string
}

/** Only a part of the work could be done: the process exits with code 3. */
export class IncompleteError extends Error {
  override name = 'IncompleteError'
}

/** The arguments or settings of a command are wrong: the process exits with code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
