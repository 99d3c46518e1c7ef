// Every response contains everything that was committed before its request.
// FRESHNESS=some npm test -- test/freshness/checker.test.ts checks 20,000 responses, and FRESHNESS=long 100,000.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../faults/fixtures/embedded.ts'
import { runEdited } from '../support/edited-build.ts'
import { freshDatabase } from '../support/workgate.ts'
import { loads, type LoadName, type Report } from './check.ts'
import { assertAvailable } from './instances.ts'
import { readRoutes } from './views.ts'

const load = (process.env['FRESHNESS'] ?? 'short') as LoadName
const { wanted } = loads[load]
/** The share of responses that could not equal the previous one. With fewer, the check would prove little. */
const minNewerShare = 0.05

test(`each of ${wanted} responses shows what was committed before its request`, async (t) => {
  const { url, drop } = await freshDatabase()
  cleanUp(t, drop)
  const report = await runEdited<Report>('test/freshness/run-check.ts', [], url, load)
  print(report)
  assert.deepEqual(report.violations, [])
  assertAvailable(report.unavailable, report.total.checked)
  assert.ok(report.total.checked >= wanted)
  assert.deepEqual(
    readRoutes.filter((route) => !report.counts[route]?.newer),
    [],
  )
  assert.ok(report.total.newer >= minNewerShare * report.total.checked)
})

function print({ total, counts, done, seconds }: Report): void {
  const line = (label: string, { checked, newer, notModified }: Report['total']) =>
    console.log(
      `${String(checked).padStart(8)} ${String(newer).padStart(8)} ${String(notModified).padStart(8)}  ${label}`,
    )
  console.log(' checked    newer      304  (newer: could not equal the previous response)')
  for (const [route, count] of Object.entries(counts)) line(`GET ${route}`, count)
  line(`in ${seconds.toFixed(1)} s: ${Math.round(total.checked / seconds)}/s`, total)
  const operations = Object.entries(done).map(([name, times]) => `${name} ${times}`)
  console.log(`done: ${operations.join(', ')}`)
}
