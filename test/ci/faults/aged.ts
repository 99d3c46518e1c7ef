// Reads the memory and resources that aging.mjs records in the artifact's process.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { cleanUp } from '../../faults/fixtures/embedded.ts'

/** Bytes after garbage collection, and the number of timers and sockets. */
export interface Usage {
  heap: number
  rss: number
  resources: number
}

export function prepareAging(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'workgate-aging-'))
  cleanUp(t, () => rmSync(folder, { recursive: true }))
  const report = join(folder, 'report')
  const lines = () =>
    readFileSync(report, { encoding: 'utf8', flag: 'a+' })
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Usage)
  return {
    environment: {
      NODE_OPTIONS: `--import=${join(process.cwd(), 'test/ci/faults/aging.mjs')}`,
      AGING_REPORT: report,
    },
    /** One record per second so far. */
    records: lines,
  }
}
