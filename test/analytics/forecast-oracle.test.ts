// Tests forecast() by itself: its results, the reasons for no forecast, and its accuracy against exact probabilities.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { forecast, type Forecast } from '../../src/resources/analytics/forecast.ts'
import { countTurns } from '../support/count-turns.ts'
import { RandomNumbers } from '../../src/resources/analytics/random-numbers.ts'

const days = (...parts: [times: number, completed: number][]) =>
  parts.flatMap(([times, completed]) => Array<number>(times).fill(completed))
const uneven = Array.from({ length: 90 }, (_, day) => (day % 7 > 4 ? 0 : (day * 13) % 5))

// prettier-ignore
const cases: [claim: string, remaining: number, completedPerDay: number[], expected: Awaited<ReturnType<typeof forecast>>][] = [
  ['equal days give an exact day',                    10, days([14, 1]),                     { p50: 10, p85: 10, p95: 10 }],
  ['a partial day counts as a whole day',             10, days([30, 3]),                     { p50: 4, p85: 4, p95: 4 }],
  ['one task takes a day',                             1, days([30, 9]),                     { p50: 1, p85: 1, p95: 1 }],
  ['the last day of the horizon is included',       1100, days([30, 1]),                     { p50: 1100, p85: 1100, p95: 1100 }],
  ['a day beyond the horizon is too far',           1101, days([30, 1]),                     'too_far'],
  ['a day far beyond the horizon is too far',       9e15, days([400, 100_000]),              'too_far'],
  ['a day that only rare draws could reach is too far', 10_000, days([398, 0], [2, 1_000]),        'too_far'],
  ['no forecast is needed without open tasks',         0, days([30, 1]),                     'nothing_remaining'],
  ['nothing_remaining precedes other reasons',         0, [],                                'nothing_remaining'],
  ['no past days are too few',                         1, [],                                'too_few_days'],
  ['13 past days are too few',                         1, days([13, 100]),                   'too_few_days'],
  ['four completions are too few',                     1, days([100, 0], [4, 1]),            'too_few_completions'],
  ['no completions in a year are too few',             1, days([400, 0]),                    'too_few_completions'],
  ['one day with most completions says nothing',       1, days([100, 0], [4, 1], [1, 5]),    'mostly_one_day'],
  ['one day with half of the completions is enough',   1, days([4, 1], [10, 2], [1, 24]),    { p50: 1, p85: 1, p95: 1 }],
]

describe('a forecast', () => {
  for (const [claim, remaining, completedPerDay, expected] of cases) {
    test(claim, async () => assert.deepEqual(await forecast(remaining, completedPerDay), expected))
  }

  test('the same data gives the same forecast', async () =>
    assert.deepEqual(await forecast(100, uneven), await forecast(100, uneven)))

  test('neither a higher percentile nor more open tasks ever give an earlier date', async () => {
    let before: Forecast = { p50: 0, p85: 0, p95: 0 }
    for (let remaining = 1; remaining <= 300; remaining++) {
      const found = (await forecast(remaining, uneven)) as { p50: number; p85: number; p95: number }
      assert.ok(found.p50 <= found.p85 && found.p85 <= found.p95, JSON.stringify(found))
      assert.ok(found.p50 >= before.p50 && found.p85 >= before.p85! && found.p95 >= before.p95!, String(remaining))
      before = found
    }
  })

  test('a percentile beyond the horizon is null', async () => {
    const found = (await forecast(800, days([50, 0], [10, 0], [20, 3]))) as Forecast
    assert.ok(found.p50 < 1100)
    assert.equal(found.p95, null)
  })
})

/** Returns the exact probability for each day that all tasks are done by then, from the distribution of open tasks. */
function probabilities(remaining: number, completedPerDay: readonly number[], horizon: number): number[] {
  let left = Array<number>(remaining + 1).fill(0)
  left[remaining] = 1
  const likelihoods = new Map<number, number>()
  for (const n of completedPerDay) likelihoods.set(n, (likelihoods.get(n) ?? 0) + 1 / completedPerDay.length)
  return Array.from({ length: horizon }, () => {
    const next = Array<number>(remaining + 1).fill(0)
    for (const [n, likelihood] of likelihoods) {
      for (let l = 0; l <= remaining; l++) next[Math.max(0, l - n)]! += left[l]! * likelihood
    }
    left = next
    return left[0]!
  })
}

// prettier-ignore
const compared: [claim: string, remaining: number, completedPerDay: number[]][] = [
  ['weeks with weekends',                    40, days([10, 2], [4, 0])],
  ['uneven days',                           120, uneven],
  ['rare days with many completions',        60, days([27, 0], [3, 20])],
  ['rare days with one completion',          10, days([80, 0], [10, 1])],
  ['many tasks',                          3_000, Array.from({ length: 60 }, (_, day) => (day * 7) % 23)],
  ['400 past days',                         200, Array.from({ length: 400 }, (_, day) => (day * 31) % 3)],
]

describe('the forecast is close to the exact probabilities:', () => {
  for (const [claim, remaining, completedPerDay] of compared) {
    test(claim, async () => {
      const found = (await forecast(remaining, completedPerDay)) as Forecast
      const done = probabilities(remaining, completedPerDay, 1_100)
      for (const [percent, day] of [
        [50, found.p50],
        [85, found.p85!],
        [95, found.p95!],
      ] as const) {
        // prettier-ignore
        // With 1,000 trials, the rank has a standard deviation of 1.6% in the middle and less at the ends; three are
        // allowed. The day is right if the percentage is between the probabilities of the day before and of the day.
        const allowed = 3 * Math.sqrt(((percent / 100) * (1 - percent / 100)) / 1_000)
        assert.ok(
          done[day - 2]! - allowed < percent / 100,
          `p${percent} is day ${day}, but the day before has the probability ${done[day - 2]}`,
        )
        assert.ok(
          done[day - 1]! + allowed > percent / 100,
          `p${percent} is day ${day}, which has the probability ${done[day - 1]}`,
        )
      }
    })
  }
})

describe('the simulation', () => {
  // prettier-ignore
  const costly: [claim: string, remaining: number, completedPerDay: number[], maxDraws: number][] = [
    ['draws at most 1,000 trials up to the horizon',          1_090, days([200, 0], [200, 2]),  1_100_000],
    ['stops as soon as half of the trials are too long',      1_200, days([200, 0], [200, 2]),    551_100],
    ['draws nothing if even the best days would not suffice',   9e9, days([398, 0], [2, 8e6]),          0],
  ]
  for (const [claim, remaining, completedPerDay, maxDraws] of costly) {
    test(claim, async () => {
      let draws = 0
      const counted = new Proxy(completedPerDay, {
        get(target, name) {
          if (typeof name === 'string' && /^\d+$/.test(name)) draws++
          return Reflect.get(target, name)
        },
      })
      await forecast(remaining, counted)
      // Apart from the draws, each day is read a few times.
      assert.ok(draws <= maxDraws + 4 * completedPerDay.length, String(draws))
      assert.ok(draws >= maxDraws / 2, `only ${draws} draws: the case is too easy`)
    })
  }
})

test('other requests run during a long simulation', async () => {
  assert.ok((await countTurns(() => forecast(545, days([200, 0], [200, 1])))) >= 10)
})

describe('random numbers', () => {
  // From the reference implementation in C, after twelve rounds, seeded with (0x243f6a88, 0x85a308d3, stream) and a
  // counter of 1.
  // prettier-ignore
  const reference: [stream: number, numbers: number[]][] = [
    [0,   [0x4cd06661, 0xf93f156f, 0x45f2fe3f, 0x936d71ad]],
    [999, [0xdb72d1a9, 0x51bfacf7, 0xbf295c12, 0x37df40a7]],
  ]
  for (const [stream, numbers] of reference) {
    test(`are equal to sfc32, stream ${stream}`, () => {
      const random = new RandomNumbers(stream)
      assert.deepEqual(numbers.map(() => random.next() * 2 ** 32), numbers) // prettier-ignore
    })
  }

  test('are evenly distributed over 400 days', () => {
    const all = Array<number>(400).fill(0)
    for (let stream = 0; stream < 1_000; stream++) {
      const random = new RandomNumbers(stream)
      for (let n = 0; n < 400; n++) all[Math.floor(random.next() * 400)]!++
    }
    // Chi-squared with 399 degrees of freedom has a mean of 399 and a standard deviation of 28.
    const chiSquared = all.reduce((sum, n) => sum + (n - 1_000) ** 2 / 1_000, 0)
    assert.ok(chiSquared > 299 && chiSquared < 499, String(chiSquared))
  })
})
