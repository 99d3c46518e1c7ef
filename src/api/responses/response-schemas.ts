// Building blocks of response schemas: values, lists and envelopes. They describe responses in the OpenAPI document, and
// the tests check every response against them. At run time, responses are sent unchecked, as the database returns them.

import * as v from 'valibot'

/** The largest integer that every JSON parser reads exactly. */
const maxExact = Number.MAX_SAFE_INTEGER
/** The largest value of PostgreSQL's integer. */
export const maxInteger = 2_147_483_647

export const id = v.pipe(v.string(), v.uuid())

/** In UTC, with milliseconds. It has no pattern: generated clients would apply it to a parsed time. */
export const moment = v.pipe(v.string(), v.isoTimestamp(), v.examples(['2026-11-21T09:30:00.000Z']))

export const day = v.pipe(v.string(), v.isoDate())

/** Lengths count Unicode characters. */
export const text = (min: number, max: number) => v.pipe(v.string(), v.minLength(min), v.maxLength(max))

export const whole = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))
export const count = whole(0, maxExact)
/** A number in a sequence that starts at 1. */
export const ordinal = whole(1, maxExact)
/** Any value of a column of type integer. */
export const position = whole(-maxInteger - 1, maxInteger)
export const positive = whole(1, maxInteger)

export const ratio = v.pipe(v.number(), v.minValue(0), v.maxValue(1))

export const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

export const listUpTo = <Item extends v.GenericSchema>(max: number, item: Item) =>
  v.pipe(v.array(item), v.maxLength(max))

export const described = <Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text))

/** An enumeration that may get new values in future versions. Clients must expect unknown ones. */
export const extensible = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(schema, v.metadata({ 'x-extensible': true }))

/** An object with its own name in the OpenAPI document. */
export function named<const Entries extends v.ObjectEntries>(ref: string, description: string, entries: Entries) {
  return v.pipe(v.object(entries), v.description(description), v.metadata({ ref }))
}

export const writer = named('Writer', 'The writer of a change.', {
  channel: described(v.string(), '`api`, `sql`, `import`, or one that a writer uses who may name writers.'),
  actor: described(
    v.record(v.string(), v.unknown()),
    'The API key as `{keyId, name}`, the database role as `{role}`, or the name that a writer has set who may, as `{name}`. All of it is proven except `claimed`: what any other session said, as `{channel, actor}`.',
  ),
})

/** Generated clients name their types after the schemas, so a task is in a TaskResponse, and a list in a TaskPage. */
const namedAfter = (item: v.GenericSchema, suffix: string, entries: v.ObjectEntries) =>
  v.pipe(v.object(entries), v.metadata({ ref: `${String(v.getMetadata(item)['ref'])}${suffix}` }))

/** The body of a response with one named object. */
export const dataBody = (data: v.GenericSchema) => namedAfter(data, 'Response', { data })

const meta = named('PageMeta', 'The page size, and the cursor of the next page.', {
  limit: described(whole(1, 200), 'The maximum number of items on the page.'),
  nextCursor: described(
    v.nullable(v.pipe(v.string(), v.regex(/^[A-Za-z0-9~-]+$/))),
    'To get the next page, repeat the request with this value as `cursor`; `null` on the last page.',
  ),
  hasMore: described(v.boolean(), 'True if there is a next page.'),
})

/** The body of a page of a list of named objects, with extra fields next to data and meta. */
export const pageOf = (item: v.GenericSchema, extra: v.ObjectEntries = {}) =>
  namedAfter(item, 'Page', { data: listUpTo(200, item), meta, ...extra })
