// The words for the forecast of a project.

import type { Progress } from '../api/types.ts'
import { count, daysBetween, formatBetween, formatLongDay, formatNumber, formatRate, today } from '../text/format.ts'
import { exactSum, unitOf } from '../text/own-fields.ts'
import { leavingOut } from './selection.ts'

const noForecast: Record<string, string> = {
  nothing_remaining: 'Everything is done.',
  too_few_days: 'Too little history for a forecast: the first task is less than two weeks old.',
  too_few_completions: 'Too few tasks were completed in this range for a forecast.',
  mostly_one_day: 'There is no forecast: most of the tasks of this range were completed on one day.',
  too_far: 'At the present pace it takes more than three years.',
}

/** How much remains, when it will be done, and whether it has grown. */
export function prospectOf(progress: Progress, leftOut: string[]): string {
  const remaining = remainingOf(progress, leftOut)
  if (remaining !== '' && progress.forecastReason === 'nothing_remaining') return remaining
  return [remaining, paceOf(progress), growthOf(progress)].filter(Boolean).join(' ')
}

/** How much of a measure, or of some types, remains. Empty if all tasks count: their number is shown already. */
function remainingOf({ series, forecastReason, measure }: Progress, leftOut: string[]): string {
  const without = leavingOut(leftOut)
  if (measure === null && without === '') return ''
  const [one, many] = unitOf(measure)
  const isNothing = forecastReason === 'nothing_remaining'
  const remains = isNothing ? `No ${many} remain` : count(series.at(-1)!.remaining, `${one} remains`, `${many} remain`)
  return without === '' ? `${remains}.` : `${remains}, ${without}.`
}

export function paceOf({ forecast, forecastReason }: Progress): string {
  if (forecast === null) return noForecast[forecastReason ?? ''] ?? 'There is no forecast.'
  return `At the present pace, and without new tasks, it ${endOf(forecast)}.`
}

function endOf({ p50Date, p85Date }: NonNullable<Progress['forecast']>): string {
  if (p85Date === null) return `may be done by ${formatLongDay(p50Date)}, but can take more than three years`
  if (p50Date === p85Date) return `is done by ${formatLongDay(p85Date)}`
  return `is done between ${formatBetween(p50Date, p85Date)}`
}

/** The forecast ends after this many days. */
const horizonDays = 1_100

export type Verdict = 'probably late' | 'may be late' | 'on time' | 'no forecast'

/** Says whether a due date in the future will be met. */
export function verdictOf({ forecast, forecastReason }: Progress, dueDate: string): Verdict {
  if (forecast === null) {
    const isTooFar = forecastReason === 'too_far' && daysBetween(today(), dueDate) < horizonDays
    return isTooFar ? 'probably late' : 'no forecast'
  }
  if (forecast.p50Date > dueDate) return 'probably late'
  return forecast.p85Date === null || forecast.p85Date > dueDate ? 'may be late' : 'on time'
}

/** The forecast expects no new tasks, so it says when there are more and more. */
function growthOf({ forecast, from, series, measure }: Progress): string {
  const growth = exactSum(series.flatMap(({ created, completed, cancelled }) => [created, -completed, -cancelled]))
  const { scope, created, cancelled } = series[0]!
  const isNew = scope - created + cancelled <= 0
  if (growth <= 0 || isNew || forecast === null) return ''
  const [one, many] = unitOf(measure)
  return `But ${count(growth, `more ${one} is`, `more ${many} are`)} open than on ${formatLongDay(from)}.`
}

/** How much was completed per week, without the weeks before the first task. */
export function weeklyPace({ series, to }: Progress): number {
  const first = series.find(({ created, scope, done }) => created + scope + done > 0)
  if (first === undefined) return 0
  return (7 * series.reduce((sum, { completed }) => sum + completed, 0)) / daysBetween(first.start, to)
}

interface Work {
  remaining: number
  /** Per week. */
  pace: number
  measure: string | null
}

/** Why it will be late. Empty if the mean pace is enough. */
export function neededPace({ remaining, pace, measure }: Work, dueDate: string): string {
  const weeks = Math.max(1, daysBetween(today(), dueDate)) / 7
  const needed = Math.ceil(remaining / weeks)
  if (needed <= pace) return ''
  return `To be on time, ${count(needed, ...unitOf(measure))} a week would have to be completed instead of ${formatRate(pace)}.`
}

export function lateness(soonest: number, latest: number): string {
  if (latest === Infinity) return soonest > 0 ? `more than ${count(soonest, 'day', 'days')} late` : 'late'
  return soonest > 0 && soonest < latest
    ? `${formatNumber(soonest)} to ${count(latest, 'day', 'days')} late`
    : `up to ${count(latest, 'day', 'days')} late`
}
