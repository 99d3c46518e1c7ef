// Runs the doctor in this process and returns its report.

import { PassThrough, Readable } from 'node:stream'
import { doctor } from '../../src/commands/doctor/doctor.ts'
import type { CommandContext } from '../../src/commands/command-context.ts'
import { readConfig, type Config } from '../../src/config/config.ts'
import type { Finding } from '../../src/commands/doctor/finding.ts'
import { untracked } from '../../src/runtime/progress.ts'
import { quiet } from './log.ts'

export interface Report {
  faults: number
  warnings: number
  findings: Finding[]
  /** The message of the error that it failed with. */
  error: string | undefined
  of(check: string): Pick<Finding, 'state' | 'finding'> & { advice: string }
  /** State and finding, such as "fault: fsync is off". */
  line(check: string): string
}

export async function examine(environment: Record<string, string>, ...args: string[]): Promise<Report> {
  const printed: string[] = []
  const context = {
    ...commandContext(readConfig(environment, () => '')),
    args: ['--json', ...args],
    print: (text: string) => void printed.push(text),
  }
  const error = await doctor(context).then(() => undefined, (error: Error) => error.message) // prettier-ignore
  return withFindings(printed.join('\n'), error)
}

/** The context of a command that is called as a function. */
export function commandContext(config: Config): CommandContext {
  return {
    config,
    program: 'workgate',
    commandLine: ['/usr/local/bin/workgate'],
    log: quiet,
    logStyle: 'json',
    progress: untracked,
    args: [],
    print: () => {},
    input: Readable.from([]),
    output: new PassThrough(),
    ask: undefined,
    writeLog: () => {},
    stopped: new Promise(() => {}),
    readCertificate: () => undefined,
    packedPostgres: undefined,
    onReload: () => {},
    binaryRoots: [process.cwd()],
    path: process.env['PATH'] ?? '',
  }
}

export function withFindings(json: string, error?: string): Report {
  const report = JSON.parse(json) as Report
  const of = (check: string) => report.findings.find((finding) => finding.check === check) as ReturnType<Report['of']>
  return { ...report, error, of, line: (check) => `${of(check).state}: ${of(check).finding}` }
}
