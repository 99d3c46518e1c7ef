// Runs the checker in its own process, without the overhead of node:test, which tracks all asynchronous work.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { LoadName, Report } from './check.ts'

const run = promisify(execFile)

/** Checks the service in a folder, the repository or a copy of it, on the database at the URL. */
export async function checkIn(folder: string, url: string, load: LoadName): Promise<Report> {
  const args = ['--import', 'tsx', '--import', './test/support/register.mjs', 'test/freshness/run-check.ts', url, load]
  const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 10_000_000 })
  return JSON.parse(stdout) as Report
}
