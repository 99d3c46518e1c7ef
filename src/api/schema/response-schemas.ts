// What answers are made of, as schemas: values, lists and what stands around them. They say in the document what is there,
// and the tests check every answer against them. Nothing checks an answer on its way out: it goes as the database made it.

import * as v from 'valibot'

/** The largest number of which JSON's readers know every one up to it. */
const exact = Number.MAX_SAFE_INTEGER
const largest = 2_147_483_647

export const id = v.pipe(v.string(), v.uuid())

export const moment = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  v.examples(['2026-11-21T09:30:00.000Z']),
)

export const day = v.pipe(v.string(), v.isoDate())

/** Of so many characters, as Unicode counts them. */
export const text = (min: number, max: number) => v.pipe(v.string(), v.minLength(min), v.maxLength(max))

export const whole = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))
export const count = whole(0, exact)
/** A number that counts something through, from 1 on. */
export const ordinal = whole(1, exact)
/** Any number that has a place in a column of type integer. */
export const position = whole(-largest - 1, largest)
export const positive = whole(1, largest)
export const seconds = whole(0, largest)

export const ratio = v.pipe(v.number(), v.minValue(0), v.maxValue(1))

export const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

export const listUpTo = <Item extends v.GenericSchema>(max: number, item: Item) =>
  v.pipe(v.array(item), v.maxLength(max))

export const described = <Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text))

/** A thing with a name of its own in the document. */
export function named<const Entries extends v.ObjectEntries>(ref: string, description: string, entries: Entries) {
  return v.pipe(v.object(entries), v.description(description), v.metadata({ ref }))
}

/** The body of an answer that shows one thing. */
export const dataBody = (data: v.GenericSchema) => v.object({ data })

const meta = named('PageMeta', 'What page of the list this is.', {
  limit: described(whole(1, 200), 'The most items that the page may have.'),
  nextCursor: described(
    v.nullable(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/))),
    'Send it as `cursor` with otherwise the same request to get the next page; `null` on the last one.',
  ),
  hasMore: described(v.boolean(), 'Whether there is a next page.'),
})

/** The body of a page of a list, with extra fields next to data and meta. */
export const pageOf = (item: v.GenericSchema, extra: v.ObjectEntries = {}) =>
  v.object({ data: listUpTo(200, item), meta, ...extra })
