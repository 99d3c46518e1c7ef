// The words for a forecast: whether a due date holds, and the pace that it needs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neededPace, verdictOf, type Verdict } from '../../src/explorer/project/forecast-words.ts'
import { addDays, today } from '../../src/explorer/text/format.ts'

const day = (n: number) => addDays(today(), n)

// prettier-ignore
const cases: [verdict: Verdict, p50: number | string, p85: number | null, due: number][] = [
  ['on time',       10,             20,   20],
  ['may be late',   10,             20,   19],
  ['may be late',   20,             null, 20],
  ['probably late', 20,             null, 19],
  ['probably late', 20,             30,   19],
  ['probably late', 'too_far',      null, 1_000],
  // Whether it takes even longer is not known.
  ['no forecast',   'too_far',      null, 1_200],
  ['no forecast',   'too_few_days', null, 10],
]
for (const [verdict, p50, p85, due] of cases) {
  test(`with a forecast of ${p50} to ${p85} days, a project that is due in ${due} days is: ${verdict}`, () => {
    const forecast = typeof p50 === 'string' ? null : { p50Date: day(p50), p85Date: p85 === null ? null : day(p85) }
    const forecastReason = typeof p50 === 'string' ? p50 : null
    const progress = { forecast, forecastReason } as Parameters<typeof verdictOf>[0]
    assert.equal(verdictOf(progress, day(due)), verdict)
  })
}

test('the pace that a due date needs is only named if it is higher than the present one', () => {
  assert.match(neededPace(40, 14.4, day(14)), /20 tasks a week would have to be completed instead of 14\.4/)
  assert.equal(neededPace(28, 14.4, day(14)), '')
})
