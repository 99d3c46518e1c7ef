// The words for a forecast: why there is none, whether a due date holds, and the pace that it needs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  neededPace,
  paceOf,
  prospectOf,
  verdictOf,
  weeklyPace,
  type Verdict,
} from '../../src/explorer/project/forecast-words.ts'
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

// prettier-ignore
const reasons: [reason: string, words: string][] = [
  ['too_few_days',   'Too little history for a forecast: the first task is less than two weeks old.'],
  ['mostly_one_day', 'There is no forecast: most of the tasks of this range were completed on one day.'],
  ['new_reason',     'There is no forecast.'],
]
for (const [forecastReason, words] of reasons) {
  test(`without a forecast, because of ${forecastReason}, the page says so`, () =>
    assert.equal(paceOf({ forecast: null, forecastReason } as Parameters<typeof paceOf>[0]), words))
}

test('the present pace is that of the weeks since the first task', () => {
  const week = (start: number, created: number, completed: number, scope: number, done: number) => ({ start: day(start), created, completed, scope, done }) // prettier-ignore
  const series = [week(-27, 0, 0, 0, 0), week(-20, 9, 2, 9, 2), week(-13, 0, 0, 9, 2), week(-6, 0, 4, 9, 6)]
  const pace = (weeks: object[]) => weeklyPace({ series: weeks, to: day(1) } as Parameters<typeof weeklyPace>[0])
  assert.equal(pace(series), 2)
  assert.equal(pace(series.slice(2)), 2)
  assert.equal(pace(series.slice(0, 1)), 0)
})

test('the pace that a due date needs is only named if it is higher than the present one', () => {
  const words = (remaining: number, measure: string | null) => neededPace({ remaining, pace: 14.4, measure }, day(14))
  assert.match(words(40, null), /20 tasks a week would have to be completed instead of 14\.4/)
  assert.match(words(40, 'storyPoints'), /20 story points a week would have to be completed instead of 14\.4/)
  assert.equal(words(28, null), '')
})

// prettier-ignore
const prospects: [words: RegExp, measure: string | null, leftOut: string[], remaining: number, growth: number][] = [
  [/^At the present pace/,                                                     null,          [],               12,     0],
  [/^12 story points remain\. At the present pace.* done by .*\.$/,             'storyPoints', [],               12,     0],
  [/^1 story point remains, leaving out epic\. At /,                            'storyPoints', ['epic'],         1,      0],
  [/^12\.35 units of effort remain\. .* But 0\.2 more units of effort are open than on /, 'effort', [],           12.345, 0.2],
  [/^2 tasks remain, leaving out epic and tasks without a type\. .* But 1 more task is open/, null, ['none', 'epic'], 2, 1],
  [/^No story points remain, leaving out epic\.$/,                              'storyPoints', ['epic'],         0,      0],
]
for (const [words, measure, leftOut, remaining, growth] of prospects)
  test(`of ${remaining} ${measure ?? 'tasks'} without [${leftOut}], the page says ${words}`, () => {
    // In binary fractions, 0.1 + 0.2 - 0.3 is not 0.
    const series: object[] = [
      { created: 0.1, completed: 0.3, cancelled: 0, scope: 10 },
      { created: 0.2 + growth, completed: 0, cancelled: 0, remaining },
    ]
    const progress = {
      measure,
      from: day(-14),
      series,
      forecast: remaining === 0 ? null : { p50Date: day(9), p85Date: day(9) },
      forecastReason: remaining === 0 ? 'nothing_remaining' : null,
    } as Parameters<typeof prospectOf>[0]
    assert.match(prospectOf(progress, leftOut), words)
  })
