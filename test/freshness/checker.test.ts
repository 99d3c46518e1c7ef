// Every answer contains everything that was committed before it was asked for.
// FRESHNESS=long npm test -- test/freshness/checker.test.ts checks 100,000 answers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../support/workgate.ts'
import { loads } from './check.ts'
import { checkIn } from './child.ts'
import { print } from './report.ts'
import { readRoutes } from './views.ts'

const load = process.env['FRESHNESS'] === 'long' ? 'long' : 'short'
const { wanted } = loads[load]
/** Of answers that could not have been the last one again: fewer would not show much. */
const leastNewer = 0.05

test(`each of ${wanted} answers shows what was committed before`, async () => {
  const { url, drop } = await freshDatabase()
  try {
    const report = await checkIn('.', url, load)
    print(report)
    assert.deepEqual(report.violations, [])
    assert.ok(report.total.checked >= wanted)
    assert.deepEqual(
      readRoutes.filter((route) => !report.counts[route]?.newer),
      [],
    )
    assert.ok(report.total.newer >= leastNewer * report.total.checked)
  } finally {
    await drop()
  }
})
