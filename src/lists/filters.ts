// The values that lists take in their query, once for all of them.

import * as v from 'valibot'
import { exactMoment, firstDayFrom, isMoment, isUuid } from '../values.ts'

export const mostValues = 100

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

/** A time with its offset, or a date, which stands for its start in UTC. */
export const moment = filter(
  v.pipe(
    v.string(),
    v.check(
      isMoment,
      'takes a time such as 2026-11-21T09:30:00Z (write the + of an offset as %2B), or a date such as 2026-11-21',
    ),
    v.transform(exactMoment),
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
    v.transform(firstDayFrom),
  ),
)

export const changed = {
  createdAfter: moment,
  createdBefore: moment,
  updatedAfter: moment,
  updatedBefore: moment,
}
