// Parses the range of days of an analysis. Limits the number of buckets in a range.

import * as v from 'valibot'
import { invalid } from '../../api/problems/problem.ts'
import { day as responseDay, described } from '../../api/responses/response-schemas.ts'
import { isDay } from '../../api/input/values.ts'

interface Range {
  from: string
  to: string
}

export const steps = ['day', 'week', 'month'] as const
type Step = (typeof steps)[number]

const defaultDays = 30
const firstDay = '0001-01-01'
export const maxBuckets = 1_100
const dayMs = 86_400_000

const day = v.pipe(v.string(), v.check(isDay, 'must be a date such as 2026-11-21'), v.metadata({ format: 'date' }))

/** The query parameters of a range. */
export const rangeEntries = {
  from: described(v.optional(day), `The first day, before \`to\`. Default: ${defaultDays} days before \`to\`.`),
  to: described(
    v.optional(day),
    'The day after the last one. Default: tomorrow, in UTC. Required if `from` is later than today.',
  ),
}

type RequestedRange = v.InferOutput<v.ObjectSchema<typeof rangeEntries, undefined>>

/** The response fields of a range. */
export const rangeFields = {
  from: responseDay,
  to: described(responseDay, 'The day after the last day of the range.'),
}

/** The default range is the last 30 days, including today. */
export function resolveRange({ from, to }: RequestedRange, today: string): Range {
  const end = to ?? addDays(today, 1)
  const start = addDays(end, -defaultDays)
  const range = { from: from ?? (isDay(start) ? start : firstDay), to: end }
  if (range.from >= range.to) {
    if (to === undefined)
      throw invalid({ in: 'query', name: 'from', message: 'is later than today, so to is required as well' })
    throw invalid({ in: 'query', name: 'to', message: 'must be after from' })
  }
  return range
}

/** Refuses a range with too many buckets. name is the parameter that sets the length of a bucket. */
export function checkBucketCount({ from, to }: Range, step: Step, name: string): void {
  const buckets = 1 + bucketNumbers[step](addDays(to, -1)) - bucketNumbers[step](from)
  if (buckets <= maxBuckets) return
  const message =
    `divides this range into ${buckets} intervals, but at most ${maxBuckets} are allowed;` +
    ' choose a shorter range or longer intervals'
  throw invalid({ in: 'query', name, message })
}

/** Days in the same bucket have the same number, and consecutive buckets have consecutive numbers. */
const bucketNumbers: Record<Step, (day: string) => number> = {
  day: dayNumber,
  // The epoch was a Thursday; weeks begin on Monday.
  week: (day) => Math.floor((dayNumber(day) + 3) / 7),
  month: (day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)),
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

function dayNumber(day: string): number {
  return Date.parse(day) / dayMs
}
