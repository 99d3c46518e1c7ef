// The days that an analysis is about: from, to and timezone, and the buckets that they are cut into.

import * as v from 'valibot'
import { serverError } from '../../db/errors.ts'
import { invalid } from '../../api/problems/problem.ts'
import { day as shownDay, described } from '../../api/schema/response-schemas.ts'
import { isDay } from '../../api/schema/values.ts'
import { isZoneName, zoneForDatabase } from './zone-names.ts'

export interface Range {
  from: string
  to: string
  /** As it was given. */
  timezone: string
  /** As the database is to be told. */
  zone: string
}

interface Asked {
  from?: string | undefined
  to?: string | undefined
  timezone: string
}

export const steps = ['day', 'week', 'month'] as const
export type Step = (typeof steps)[number]

const usualDays = 30
const firstDay = '0001-01-01'
export const maxBuckets = 1_100
const dayMs = 86_400_000

const day = v.pipe(v.string(), v.check(isDay, 'takes a date such as 2026-11-21'), v.metadata({ format: 'date' }))

const timezone = v.pipe(
  v.string(),
  v.check(isZoneName, 'takes the name of a time zone such as Europe/Berlin, or UTC'),
  v.examples(['Europe/Berlin']),
)

/** The entries of a query that is about a range. */
export const rangeEntries = {
  from: described(v.optional(day), `The first day, before \`to\`. Without it: ${usualDays} days before \`to\`.`),
  to: described(
    v.optional(day),
    'The day after the last one. Without it: tomorrow, in UTC; where `from` is later than today, it has to be given.',
  ),
  timezone: described(
    v.optional(timezone, 'UTC'),
    'The IANA zone whose days these are. One that was not at whole quarters of an hour from UTC in the range is refused.',
  ),
}

/** What answers say of it. */
export const rangeShown = {
  from: shownDay,
  to: described(shownDay, 'Not included.'),
  timezone: described(v.string(), 'The name of the zone whose days these are, as it was given.'),
}

/** Without dates it is the last days, today the last of them. */
export function rangeOf({ from, to, timezone }: Asked, today: string): Range {
  const end = to ?? addDays(today, 1)
  const start = addDays(end, -usualDays)
  const range = { from: from ?? (isDay(start) ? start : firstDay), to: end, timezone, zone: zoneForDatabase(timezone) }
  if (range.from >= range.to) {
    if (to === undefined) throw invalid({ in: 'query', name: 'from', message: 'lies ahead: give to as well' })
    throw invalid({ in: 'query', name: 'to', message: 'must be after from' })
  }
  return range
}

/** A range with too many buckets is refused under the name of the parameter that says how long one is. */
export function refuseTooMany({ from, to }: Range, step: Step, name: string): void {
  const buckets = 1 + bucketOf[step](addDays(to, -1)) - bucketOf[step](from)
  if (buckets <= maxBuckets) return
  const message = `makes ${buckets} buckets of this range, and may make at most ${maxBuckets}: take a shorter range or longer buckets`
  throw invalid({ in: 'query', name, message })
}

/** Numbers them through, so that two days in one bucket have the same number. */
const bucketOf: Record<Step, (day: string) => number> = {
  day: daysOf,
  // The epoch was a Thursday; weeks begin on Monday.
  week: (day) => Math.floor((daysOf(day) + 3) / 7),
  month: (day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)),
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

function daysOf(day: string): number {
  return Date.parse(day) / dayMs
}

/** Runs a statement about a range, for which PostgreSQL may know the time zone less well than we do. */
export async function inZone<Row extends { aligned: boolean }>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows.catch((error: unknown) => {
    throw serverError(error)?.code === '22023' ? notInZone('is not known to the database') : error
  })
  if (!row!.aligned)
    throw notInZone('was not at a whole quarter of an hour from UTC at that time, as every zone has been since 1972')
  return row!
}

function notInZone(message: string) {
  return invalid({ in: 'query', name: 'timezone', message })
}
