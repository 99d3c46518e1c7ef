// Logs of the tests: nothing is printed, and everything that a service says is kept, for the search for keys at the
// end of the run.

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog, type Log } from '../../src/runtime/log.ts'
import { run } from './environment.ts'

export const quiet: Log = createLog('silent', () => {})

/** Whatever a service or a command prints goes through here. */
export function keepOutput(text: string): void {
  appendFileSync(join(run().logs, 'output.log'), text)
}

/** A key that was given out in the tests, or a part of one that nobody may see. */
export function keepSecret(text: string): void {
  appendFileSync(join(run().logs, 'secrets.txt'), text + '\n')
}
