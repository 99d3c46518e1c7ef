// The values that lists take in their query, once for all of them.

import * as v from 'valibot'

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const mostValues = 100

export function isUuid(text: string): boolean {
  return uuidForm.test(text)
}

/** An absent filter is a present null, so that a statement gets each of its parameters by name. */
export function filter<Schema extends v.GenericSchema<string, unknown>>(schema: Schema) {
  return v.optional(v.nullable(schema), null)
}

/** A comma list; a row matches with any of its values. Sorted: the order in which they came makes no difference. */
function anyOf(check: (value: string) => boolean, message: string, read = (text: string) => text) {
  return filter(
    v.pipe(
      v.string(),
      v.transform((text) => [...new Set(read(text).split(','))].sort()),
      v.maxLength(mostValues, `takes at most ${mostValues} values`),
      v.everyItem(check, message),
    ),
  )
}

export const choice = (values: readonly string[]) =>
  anyOf((value) => values.includes(value), `takes ${values.join(', ')}, or several of them separated by commas`)

export const ids = anyOf(isUuid, 'takes an id (a UUID), or several separated by commas', (text) => text.toLowerCase())

/** As ids, or "none" for rows that have none. */
export const idsOrNone = anyOf(
  (value) => value === 'none' || isUuid(value),
  'takes an id (a UUID) or none, or several separated by commas',
  (text) => text.toLowerCase(),
)

export const numbers = anyOf(
  (value) => /^[1-9]\d{0,14}$/.test(value),
  'takes a number from 1 on, or several separated by commas',
)

/** Compared without regard to case, by the statement. */
export const names = anyOf(
  (value) => value.trim() !== '' && [...value].length <= 100,
  'takes a name, or several separated by commas',
)

export const flag = filter(
  v.pipe(
    v.picklist(['true', 'false'], 'takes true or false'),
    v.transform((text) => text === 'true'),
  ),
)

/** Whole words and beginnings of words, in any order and case. */
export const search = filter(
  v.pipe(
    v.string(),
    v.maxLength(200, 'takes at most 200 characters'),
    v.check((text) => /[\p{L}\p{N}]/u.test(text), 'takes words to search for'),
  ),
)

/** The beginning of a path, as it is: no character in it has a meaning of its own. */
export const prefix = filter(
  v.pipe(
    v.string(),
    v.nonEmpty('takes the beginning of a path'),
    v.check((text) => [...text].length <= 1_000, 'takes at most 1000 characters'),
  ),
)

const belowMs = /(\.\d{3})\d*[1-9]\d*/

/** A time with its offset, or a date, which stands for its start in UTC. */
export const moment = filter(
  v.pipe(
    v.string(),
    v.check(
      isMoment,
      'takes a time such as 2026-11-21T09:30:00Z (write the + of an offset as %2B), or a date such as 2026-11-21',
    ),
    // PostgreSQL would round to microseconds. Rows have milliseconds: between two of them one place is as good as another.
    v.transform((text) => (text.includes('T') ? text.replace(belowMs, (_, ms) => `${ms}5`) : `${text}T00:00:00Z`)),
  ),
)

/** For columns that hold a day: the first whose start in UTC is not before the time given. */
export const dayBound = filter(
  v.pipe(
    v.string(),
    v.check(
      isMoment,
      'takes a date such as 2026-11-21, or a time such as 2026-11-21T09:30:00Z (write the + of an offset as %2B)',
    ),
    v.transform((text) => (text.includes('T') ? firstDayFrom(text) : text)),
  ),
)

function firstDayFrom(moment: string): string {
  const dayMs = 86_400_000
  const day = new Date(Math.ceil(firstMsFrom(moment) / dayMs) * dayMs).toISOString().slice(0, 10)
  // An offset may lead out of the years that have four digits.
  if (day.startsWith('+')) return 'infinity'
  return isDay(day) ? day : '-infinity'
}

/** The first millisecond that is not before a moment. Date knows milliseconds, and cuts off what is finer. */
export function firstMsFrom(moment: string): number {
  return Date.parse(moment) + (belowMs.test(moment) ? 1 : 0)
}

const momentForm =
  /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?$/

export function isMoment(text: string): boolean {
  const [, day] = momentForm.exec(text) ?? []
  return day !== undefined && isDay(day)
}

/** A day that the calendar has. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

export const changed = {
  createdAfter: moment,
  createdBefore: moment,
  updatedAfter: moment,
  updatedBefore: moment,
}
