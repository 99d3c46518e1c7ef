// Every response contains everything that was committed before its request.
// FRESHNESS=some npm test -- test/freshness/checker.test.ts checks 20,000 responses, and FRESHNESS=long 100,000.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../support/workgate.ts'
import { loads, type LoadName } from './check.ts'
import { checkService } from './child.ts'
import { print } from './report.ts'
import { readRoutes } from './views.ts'

const load = (process.env['FRESHNESS'] ?? 'short') as LoadName
const { wanted } = loads[load]
/** The share of responses that could not equal the previous one. With fewer, the check would prove little. */
const minNewerShare = 0.05

test(`each of ${wanted} responses shows what was committed before its request`, async () => {
  const { url, drop } = await freshDatabase()
  try {
    const report = await checkService([], url, load)
    print(report)
    assert.deepEqual(report.violations, [])
    assert.ok(report.total.checked >= wanted)
    assert.deepEqual(
      readRoutes.filter((route) => !report.counts[route]?.newer),
      [],
    )
    assert.ok(report.total.newer >= minNewerShare * report.total.checked)
  } finally {
    await drop()
  }
})
