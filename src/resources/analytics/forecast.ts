// Forecasts when the open tasks will be done, assuming that future days are like past ones: a Monte Carlo simulation
// that draws past days at random. The random numbers are always the same, so the same data has the same forecast.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { RandomNumbers } from './random-numbers.ts'

/** The reasons for not making a forecast. */
export const noForecastReasons = [
  'nothing_remaining',
  'archived',
  'too_few_days',
  'too_few_completions',
  'mostly_one_day',
  'too_far',
] as const
export type Reason = (typeof noForecastReasons)[number]

/** The number of days within which that percentage of the trials ends; null if it is beyond the horizon. */
export interface Forecast {
  p50: number
  p85: number | null
  p95: number | null
}

const minDays = 14
const minCompletions = 5
const trialCount = 1_000
const horizonDays = 1_100
// The simulation takes up to 1.1 million days, but other requests wait for no more than these.
const maxDaysPerTurn = 100_000

/**
 * completedPerDay contains how much was completed on each past day, in the whole units of what remains, and tasksPerDay the
 * number of tasks, if the units are not tasks.
 */
export async function forecast(
  remaining: number,
  completedPerDay: readonly number[],
  tasksPerDay = completedPerDay,
): Promise<Forecast | Reason> {
  if (remaining <= 0) return 'nothing_remaining'
  if (tasksPerDay.length < minDays) return 'too_few_days'
  const completions = tasksPerDay.reduce((sum, completed) => sum + completed, 0)
  if (completions < minCompletions) return 'too_few_completions'
  if (Math.max(...tasksPerDay) > completions / 2) return 'mostly_one_day'
  const trialDays = await simulate(remaining, completedPerDay)
  return trialDays ? percentiles(trialDays) : 'too_far'
}

/**
 * A trial that does not end within the horizon takes Infinity days; returns undefined if more than half of them do.
 * Each trial has its own stream of days, so that more remaining tasks never make a trial end earlier.
 */
async function simulate(remaining: number, completedPerDay: readonly number[]) {
  if (Math.max(...completedPerDay) * horizonDays < remaining) return undefined
  const trialDays: number[] = []
  let unfinished = 0
  let daysOfTurn = 0
  for (let trial = 0; trial < trialCount; trial++) {
    const days = daysUntilDone(remaining, completedPerDay, new RandomNumbers(trial))
    if (days === Infinity && ++unfinished > trialCount / 2) return undefined
    trialDays.push(days)
    daysOfTurn += Math.min(days, horizonDays)
    if (daysOfTurn < maxDaysPerTurn) continue
    await nextTurn()
    daysOfTurn = 0
  }
  return trialDays
}

function daysUntilDone(remaining: number, completedPerDay: readonly number[], random: RandomNumbers): number {
  let left = remaining
  for (let days = 1; days <= horizonDays; days++) {
    left -= completedPerDay[Math.floor(random.next() * completedPerDay.length)]!
    if (left <= 0) return days
  }
  return Infinity
}

function percentiles(trialDays: number[]): Forecast {
  const sorted = trialDays.sort((a, b) => a - b)
  const nearestRank = (percent: number) => sorted[Math.ceil((percent / 100) * sorted.length) - 1]!
  const within = (days: number) => (days === Infinity ? null : days)
  return { p50: nearestRank(50), p85: within(nearestRank(85)), p95: within(nearestRank(95)) }
}
