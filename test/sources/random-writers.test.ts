// A project is what its tracker was at some time since the last round began, whatever is written meanwhile.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../faults/fixtures/embedded.ts'
import { rounds } from '../support/environment.ts'
import { runEdited } from '../support/edited-build.ts'
import { freshDatabase } from '../support/workgate.ts'
import type { Report } from './walk.ts'

test('rounds over a tracker that random writers change', async (t) => {
  const { url, drop } = await freshDatabase()
  cleanUp(t, drop)
  const report = await runEdited<Report>('test/sources/run-walk.ts', [], url, String(rounds(2, 60)))
  assert.deepEqual(report.violations, [])
  assert.ok(report.writes > report.rounds, `${report.writes} writes in ${report.rounds} rounds`)
})
