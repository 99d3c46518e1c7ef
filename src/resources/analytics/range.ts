// Parses the range of days of an analysis: from, to and timezone. Limits the number of buckets in a range.

import * as v from 'valibot'
import { serverError } from '../../db/errors.ts'
import { invalid } from '../../api/problems/problem.ts'
import { day as responseDay, described } from '../../api/responses/response-schemas.ts'
import { isDay } from '../../api/input/values.ts'
import { isZoneName, zoneForDatabase } from './zone-names.ts'

export interface Range {
  from: string
  to: string
  /** The name in the request. */
  timezone: string
  /** The name for PostgreSQL. */
  zone: string
}

export const steps = ['day', 'week', 'month'] as const
export type Step = (typeof steps)[number]

const defaultDays = 30
const firstDay = '0001-01-01'
export const maxBuckets = 1_100
const dayMs = 86_400_000

const day = v.pipe(v.string(), v.check(isDay, 'must be a date such as 2026-11-21'), v.metadata({ format: 'date' }))

const timezone = v.pipe(
  v.string(),
  v.check(isZoneName, 'must be the name of a time zone, such as Europe/Berlin or UTC'),
  v.examples(['Europe/Berlin']),
)

/** The query parameters of a range. */
export const rangeEntries = {
  from: described(v.optional(day), `The first day, before \`to\`. Default: ${defaultDays} days before \`to\`.`),
  to: described(
    v.optional(day),
    'The day after the last one. Default: tomorrow, in UTC. Required if `from` is later than today.',
  ),
  timezone: described(
    v.optional(timezone, 'UTC'),
    'The IANA time zone of the days. Its UTC offset must be a multiple of 15 minutes throughout the range.',
  ),
}

type RequestedRange = v.InferOutput<v.ObjectSchema<typeof rangeEntries, undefined>>

/** The response fields of a range. */
export const rangeFields = {
  from: responseDay,
  to: described(responseDay, 'The day after the last day of the range.'),
  timezone: described(v.string(), 'The time zone of the days, as given in the request.'),
}

/** The default range is the last 30 days, including today. */
export function resolveRange({ from, to, timezone }: RequestedRange, today: string): Range {
  const end = to ?? addDays(today, 1)
  const start = addDays(end, -defaultDays)
  const range = { from: from ?? (isDay(start) ? start : firstDay), to: end, timezone, zone: zoneForDatabase(timezone) }
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

/** Returns the row of a statement about a range. Intl knows more names of time zones than PostgreSQL may. */
export async function runInZone<Row extends { aligned: boolean }>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows.catch((error: unknown) => {
    throw serverError(error)?.code === '22023' ? invalidZone('is not known to the database') : error
  })
  if (!row!.aligned)
    throw invalidZone(
      'must have a UTC offset that is a multiple of 15 minutes in this range, as every zone has since 1972',
    )
  return row!
}

function invalidZone(message: string) {
  return invalid({ in: 'query', name: 'timezone', message })
}
