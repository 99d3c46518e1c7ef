// The values that lists take in their query, once for all of them.

import * as v from 'valibot'
import { described } from '../schema/response-schemas.ts'
import { exactMoment, firstDayFrom, firstMsFrom, isMoment } from '../schema/values.ts'

export const maxFilterValues = 100

/** An absent filter is a present null, so that a statement gets each of its parameters by name. */
export function filter<Schema extends v.GenericSchema<string, unknown>>(schema: Schema) {
  return v.optional(v.nullable(schema), null)
}

/** A comma list; a row matches with any of its values. Sorted: the order in which they came makes no difference. */
function anyOf(item: v.GenericSchema<string, string>, message: string) {
  return filter(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      // Said once of all its items, and before they are looked at one by one.
      v.everyItem((value) => v.is(item, value), message),
      v.array(item),
      v.nonEmpty(),
      v.maxLength(maxFilterValues, `takes at most ${maxFilterValues} values`),
      v.transform((values) => [...new Set(values)].sort()),
    ),
  )
}

export const choice = (values: readonly string[]) =>
  anyOf(v.picklist(values), `takes ${values.join(', ')}, or several of them separated by commas`)

const id = v.pipe(v.string(), v.uuid(), v.toLowerCase())
export const idOrNone = v.union([id, v.literal('none')])

export const ids = anyOf(id, 'takes an id (a UUID), or several separated by commas')

/** As ids, or "none" for rows that have none. */
export const idsOrNone = described(
  anyOf(idOrNone, 'takes an id (a UUID) or none, or several separated by commas'),
  'Ids, or `none` for those without.',
)

const maxDigits = 15

/** Text, as PostgreSQL wants a bigint. */
export const numbers = anyOf(
  v.pipe(
    v.string(),
    v.check((text) => /^[1-9]\d*$/.test(text) && text.length <= maxDigits),
    v.metadata({ type: 'integer', minimum: 1, maximum: 10 ** maxDigits - 1 }),
  ),
  'takes a number from 1 on, or several separated by commas',
)

/** Compared without regard to case, by the statement. */
export const names = described(
  anyOf(
    v.pipe(v.string(), v.regex(/\S/), v.maxCodePoints(100), v.examples(['design'])),
    'takes a name, or several separated by commas',
  ),
  'Names, in any case.',
)

export const flag = filter(
  v.pipe(
    v.picklist(['true', 'false'], 'takes true or false'),
    v.transform((text) => text === 'true'),
    v.boolean(),
  ),
)

export const search = described(
  filter(
    v.pipe(
      v.string(),
      v.maxCodePoints(200, 'takes at most 200 characters'),
      v.check((text) => /[\p{L}\p{N}]/u.test(text), 'takes words to search for'),
      v.metadata({ minLength: 1, examples: ['invoice'] }),
    ),
  ),
  'Finds whole words and beginnings of words, in any order and case. There has to be a letter or a digit in it.',
)

export const prefix = described(
  filter(
    v.pipe(
      v.string(),
      v.nonEmpty('takes the beginning of a path'),
      v.maxCodePoints(1_000, 'takes at most 1000 characters'),
      v.examples(['guides/']),
    ),
  ),
  'The beginning of a path, as it is: no character in it has a meaning of its own.',
)

const timeOrDate = {
  type: 'string',
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
  description:
    'A time with its offset (`T` and `Z` in upper case, no leap seconds), or a date, which is its start in UTC. `…After` is inclusive, `…Before` is exclusive.',
}

const aTime = 'a time such as 2026-11-21T09:30:00Z (write the + of an offset as %2B)'
const aDate = 'a date such as 2026-11-21'

function timeFilter(message: string, read: (moment: string) => string) {
  return filter(v.pipe(v.string(), v.check(isMoment, message), v.metadata(timeOrDate), v.transform(read)))
}

export const moment = timeFilter(`takes ${aTime}, or ${aDate}`, exactMoment)

/** As answers show times. */
export const shownMoment = timeFilter(`takes ${aTime}, or ${aDate}`, (moment) =>
  new Date(firstMsFrom(moment)).toISOString(),
)

/** For columns that hold a day: the first whose start in UTC is not before the time given. */
export const dayBound = timeFilter(`takes ${aDate}, or ${aTime}`, firstDayFrom)

export const timeFilters = {
  createdAfter: moment,
  createdBefore: moment,
  updatedAfter: moment,
  updatedBefore: moment,
}
