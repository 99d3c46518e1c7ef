// Collects what services and commands print, without printing it. At the end of the run, the output is searched for
// keys.

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog, type Log } from '../../src/runtime/log.ts'
import { run } from './environment.ts'

export const quiet: Log = createLog('silent', () => {})

let pending = ''
process.on('exit', writePending)

/** Stores the output of a service or a command. */
export function recordOutput(text: string): void {
  pending += text
  if (pending.length > 65_536) writePending()
}

function writePending(): void {
  if (pending !== '') appendFileSync(join(run().logs, 'output.log'), pending)
  pending = ''
}

/** Stores a key that was issued in the tests, or a secret part of one: it must not be in the output. */
export function recordSecret(text: string): void {
  appendFileSync(join(run().logs, 'secrets.txt'), text + '\n')
}
