// Copies that are kept by the changes of projects equal the lists, whatever is written, and however.
// FRESHNESS=some npm test -- test/changes/changes-checker.test.ts checks 100,000 changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../faults/fixtures/embedded.ts'
import { runEdited } from '../support/edited-build.ts'
import { assertAvailable } from '../freshness/instances.ts'
import { freshDatabase } from '../support/workgate.ts'
import { kinds } from '../../src/resources/changes/change.ts'
import { loads, type LoadName, type Report } from './changes-check.ts'

const load = (process.env['FRESHNESS'] ?? 'short') as LoadName
const { wanted } = loads[load]

test(`copies equal the lists after each of ${wanted} changes`, async (t) => {
  const { url, drop } = await freshDatabase()
  cleanUp(t, drop)
  const report = await runEdited<Report>('test/changes/run-changes-check.ts', [], url, load)
  const { violations, unavailable, ...counts } = report
  console.log(JSON.stringify({ ...counts, violations: violations.length, unavailable: unavailable.length }))
  assert.deepEqual(violations, [])
  assertAvailable(unavailable, report.pages)
  assert.ok(report.changes >= wanted)
  // The shortest load need not contain each of them.
  if (load === 'short') return
  assert.deepEqual(report.kinds.toSorted(), kinds.toSorted(), 'write rows of each kind in random-writes.ts')
  for (const count of ['deletions', 'departures', 'expired', 'rewinds', 'starts', 'created'] as const)
    assert.ok(report[count] > 0, count)
})
