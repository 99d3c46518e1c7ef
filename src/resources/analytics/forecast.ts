// When the open tasks will be done, if the days to come are like those that were: a Monte Carlo simulation that draws
// past days at random. Always the same random numbers, so that the same data has the same forecast.

import { RandomNumbers } from './random-numbers.ts'

/** Why there is none. */
export const reasons = ['nothing_remaining', 'too_few_days', 'too_few_completions', 'too_far'] as const
export type Reason = (typeof reasons)[number]

/** In how many days as many of the trials are done as the name says; null where that is beyond the horizon. */
export interface Forecast {
  p50: number
  p85: number | null
  p95: number | null
}

const minDays = 7
const minCompletions = 5
const trials = 1_000
const horizonDays = 1_100

/** From the number of tasks completed on each of the past days. */
export function forecast(remaining: number, completedPerDay: readonly number[]): Forecast | Reason {
  if (remaining <= 0) return 'nothing_remaining'
  if (completedPerDay.length < minDays) return 'too_few_days'
  if (completedPerDay.reduce((sum, completed) => sum + completed, 0) < minCompletions) return 'too_few_completions'
  const daysOfTrials = simulate(remaining, completedPerDay)
  return daysOfTrials ? percentiles(daysOfTrials) : 'too_far'
}

/**
 * A trial that does not end within the horizon takes Infinity days; undefined if more than half of them do. Each trial has
 * its own stream of days, so that with more to do none is done earlier.
 */
function simulate(remaining: number, completedPerDay: readonly number[]) {
  if (Math.max(...completedPerDay) * horizonDays < remaining) return undefined
  const daysOfTrials: number[] = []
  let unfinished = 0
  for (let trial = 0; trial < trials; trial++) {
    const days = daysUntilDone(remaining, completedPerDay, new RandomNumbers(trial))
    if (days === Infinity && ++unfinished > trials / 2) return undefined
    daysOfTrials.push(days)
  }
  return daysOfTrials
}

function daysUntilDone(remaining: number, completedPerDay: readonly number[], random: RandomNumbers): number {
  let left = remaining
  for (let days = 1; days <= horizonDays; days++) {
    left -= completedPerDay[Math.floor(random.next() * completedPerDay.length)]!
    if (left <= 0) return days
  }
  return Infinity
}

function percentiles(daysOfTrials: number[]): Forecast {
  const sorted = daysOfTrials.sort((a, b) => a - b)
  const nearestRank = (percent: number) => sorted[Math.ceil((percent / 100) * sorted.length) - 1]!
  const within = (days: number) => (days === Infinity ? null : days)
  return { p50: nearestRank(50), p85: within(nearestRank(85)), p95: within(nearestRank(95)) }
}
