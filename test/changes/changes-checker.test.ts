// Copies that are kept by the changes of projects equal the lists, whatever is written, and however.
// FRESHNESS=some npm test -- test/changes/changes-checker.test.ts checks 100,000 changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runEdited } from '../support/edited-build.ts'
import { freshDatabase } from '../support/workgate.ts'
import { loads, type LoadName, type Report } from './changes-check.ts'

const load = (process.env['FRESHNESS'] ?? 'short') as LoadName
const { wanted } = loads[load]

test(`copies equal the lists after each of ${wanted} changes`, async () => {
  const { url, drop } = await freshDatabase()
  try {
    const report = await runEdited<Report>('test/changes/run-changes-check.ts', [], url, load)
    console.log(JSON.stringify({ ...report, violations: report.violations.length }))
    assert.deepEqual(report.violations, [])
    assert.equal(report.unavailable, 0)
    assert.ok(report.changes >= wanted)
    // The shortest load need not contain each of them.
    if (load === 'short') return
    for (const count of ['deletions', 'departures', 'expired', 'rewinds', 'starts', 'created'] as const)
      assert.ok(report[count] > 0, count)
  } finally {
    await drop()
  }
})
