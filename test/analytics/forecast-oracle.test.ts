// The forecast as a function: what it says, when it says nothing, and how right it is.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { forecast, type Forecast } from '../../src/resources/analytics/forecast.ts'
import { RandomNumbers } from '../../src/resources/analytics/random-numbers.ts'

const days = (...parts: [times: number, completed: number][]) =>
  parts.flatMap(([times, completed]) => Array<number>(times).fill(completed))
const uneven = Array.from({ length: 90 }, (_, day) => (day % 7 > 4 ? 0 : (day * 13) % 5))

// prettier-ignore
const said: [claim: string, remaining: number, completedPerDay: number[], says: ReturnType<typeof forecast>][] = [
  ['equal days give the day',                    10, days([7, 1]),                      { p50: 10, p85: 10, p95: 10 }],
  ['a day that is begun is a day',               10, days([30, 3]),                     { p50: 4, p85: 4, p95: 4 }],
  ['the least to do takes a day',                 1, days([30, 9]),                     { p50: 1, p85: 1, p95: 1 }],
  ['the horizon is within it',                 1100, days([30, 1]),                     { p50: 1100, p85: 1100, p95: 1100 }],
  ['a day beyond the horizon',                 1101, days([30, 1]),                     'too_far'],
  ['far beyond the horizon',                   9e15, days([400, 100_000]),              'too_far'],
  ['within it on the best of days only',     10_000, days([399, 0], [1, 1_000]),        'too_far'],
  ['nothing to do',                               0, days([30, 1]),                     'nothing_remaining'],
  ['nothing to do comes before all else',         0, [],                                'nothing_remaining'],
  ['no day',                                      1, [],                                'too_few_days'],
  ['six days',                                    1, days([6, 100]),                    'too_few_days'],
  ['four completions',                            1, days([100, 0], [4, 1]),            'too_few_completions'],
  ['no completion in a year',                     1, days([400, 0]),                    'too_few_completions'],
]

describe('it says', () => {
  for (const [claim, remaining, completedPerDay, says] of said) {
    test(claim, () => assert.deepEqual(forecast(remaining, completedPerDay), says))
  }

  test('the same of the same', () => assert.deepEqual(forecast(100, uneven), forecast(100, uneven)))

  test('what is likely before what is almost certain, and with more to do nothing earlier', () => {
    let before: Forecast = { p50: 0, p85: 0, p95: 0 }
    for (let remaining = 1; remaining <= 300; remaining++) {
      const says = forecast(remaining, uneven) as { p50: number; p85: number; p95: number }
      assert.ok(says.p50 <= says.p85 && says.p85 <= says.p95, JSON.stringify(says))
      assert.ok(says.p50 >= before.p50 && says.p85 >= before.p85! && says.p95 >= before.p95!, String(remaining))
      before = says
    }
  })

  test('only what lies within the horizon', () => {
    const says = forecast(800, days([50, 0], [10, 0], [20, 3])) as Forecast
    assert.ok(says.p50 < 1100)
    assert.equal(says.p95, null)
  })
})

/** How likely all is done within so many days, exactly: the distribution of what is left, day by day. */
function chances(remaining: number, completedPerDay: readonly number[], horizon: number): number[] {
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
const compared: [what: string, remaining: number, completedPerDay: number[]][] = [
  ['weeks with ends',             40, days([5, 2], [2, 0])],
  ['uneven days',                120, uneven],
  ['much at once, seldom',        60, days([27, 0], [3, 20])],
  ['one in a while',              10, days([80, 0], [10, 1])],
  ['a lot',                    3_000, Array.from({ length: 60 }, (_, day) => (day * 7) % 23)],
  ['from 400 days',              200, Array.from({ length: 400 }, (_, day) => (day * 31) % 3)],
]

describe('the exact chances are close to what it says:', () => {
  for (const [what, remaining, completedPerDay] of compared) {
    test(what, () => {
      const says = forecast(remaining, completedPerDay) as Forecast
      const done = chances(remaining, completedPerDay, 1_100)
      for (const [percent, day] of [
        [50, says.p50],
        [85, says.p85!],
        [95, says.p95!],
      ] as const) {
        // prettier-ignore
        // A trial of a thousand moves the rank by a standard deviation of 1.6 % in the middle, less at the ends; allowed
        // are three. The day is right if the chance lies between those of the day before and of the day.
        const allowed = 3 * Math.sqrt(((percent / 100) * (1 - percent / 100)) / 1_000)
        assert.ok(
          done[day - 2]! - allowed < percent / 100,
          `${percent} % on day ${day}: the day before has ${done[day - 2]}`,
        )
        assert.ok(done[day - 1]! + allowed > percent / 100, `${percent} % on day ${day}: it has ${done[day - 1]}`)
      }
    })
  }
})

describe('the work', () => {
  // prettier-ignore
  const hard: [what: string, remaining: number, completedPerDay: number[], draws: number][] = [
    ['is a trial for each of a thousand, within the horizon', 1_090, days([200, 0], [200, 2]),  1_100_000],
    ['ends as soon as half of the trials are too long',       1_200, days([200, 0], [200, 2]),    551_100],
    ['is none where the best of days are not enough',           9e9, days([399, 0], [1, 8e6]),          0],
  ]
  for (const [what, remaining, completedPerDay, most] of hard) {
    test(what, () => {
      let draws = 0
      const counted = new Proxy(completedPerDay, {
        get(target, name) {
          if (typeof name === 'string' && /^\d+$/.test(name)) draws++
          return Reflect.get(target, name)
        },
      })
      forecast(remaining, counted)
      // Beside the draws, each day is looked at a few times.
      assert.ok(draws <= most + 4 * completedPerDay.length, String(draws))
      assert.ok(draws >= most / 2, `${draws}: the case is not as hard as it should be`)
    })
  }
})

describe('random numbers', () => {
  // From the reference in C, seeded with (0x243f6a88, 0x85a308d3, stream) and a counter of 1, after twelve rounds.
  // prettier-ignore
  const reference: [stream: number, numbers: number[]][] = [
    [0,   [0x4cd06661, 0xf93f156f, 0x45f2fe3f, 0x936d71ad]],
    [999, [0xdb72d1a9, 0x51bfacf7, 0xbf295c12, 0x37df40a7]],
  ]
  for (const [stream, numbers] of reference) {
    test(`are those of sfc32, stream ${stream}`, () => {
      const random = new RandomNumbers(stream)
      assert.deepEqual(numbers.map(() => random.next() * 2 ** 32), numbers) // prettier-ignore
    })
  }

  test('fall evenly over 400 days', () => {
    const all = Array<number>(400).fill(0)
    for (let stream = 0; stream < 1_000; stream++) {
      const random = new RandomNumbers(stream)
      for (let n = 0; n < 400; n++) all[Math.floor(random.next() * 400)]!++
    }
    // Chi squared of 399 degrees of freedom: 399 with a deviation of 28.
    const chiSquared = all.reduce((sum, n) => sum + (n - 1_000) ** 2 / 1_000, 0)
    assert.ok(chiSquared > 299 && chiSquared < 499, String(chiSquared))
  })
})
