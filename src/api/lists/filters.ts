// Defines the kinds of filters that lists take as query parameters, and the parameters of a statement that they set.

import * as v from 'valibot'
import { splitValues } from '../input/query-string.ts'
import { described } from '../responses/response-schemas.ts'
import {
  canonicalName,
  projectNamePattern,
  referencePattern,
  taskNameOrNonePattern,
  taskNamePattern,
} from '../input/object-names.ts'
import { exactMoment, firstDayFrom, firstMsFrom, isMoment, isUuid, momentPattern } from '../input/values.ts'
import type { Params, Value } from '../../db/statements/template.ts'

export const maxFilterValues = 100

/** An absent filter is null. */
export function filter<Schema extends v.GenericSchema<string, unknown>>(schema: Schema) {
  return v.optional(v.nullable(schema), null)
}

/** Several values; a row matches any of them. They are sorted, so that their order does not matter. */
function anyOf(item: v.GenericSchema<string, string>, message: string) {
  return filter(
    v.pipe(
      v.string(),
      splitValues,
      // Checks all items before v.array does, which would report each of them.
      v.everyItem((value) => v.is(item, value), message),
      v.array(item),
      v.nonEmpty(),
      v.maxLength(maxFilterValues, `must have at most ${maxFilterValues} values`),
      v.transform((values) => [...new Set(values)].sort()),
    ),
  )
}

export const choice = (values: readonly string[]) =>
  anyOf(v.picklist(values), `must be one of ${values.join(', ')}, or several separated by commas`)

const id = v.pipe(v.string(), v.uuid(), v.toLowerCase())
// A pattern, because not all generators accept a choice between a format and a constant.
export const idOrNone = v.pipe(
  v.string(),
  v.regex(/^([\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}|none)$/),
  v.toLowerCase(),
  v.examples(['none']),
)

export const ids = anyOf(id, 'must be a UUID, or several separated by commas')

/** Ids, or "none" for rows without one: sets :name, :nameOrNone (the ids, if rows without one match as well) or :nameIsNone. */
export const idsOrNone = described(
  v.pipe(anyOf(idOrNone, 'must be a UUID or "none", or several separated by commas'), v.transform(splitNone)),
  'Ids, or `none` for items without one.',
)

function splitNone(values: string[] | null): FilterValue {
  if (!values?.includes('none')) return values
  const others = values.filter((value) => value !== 'none')
  return others.length > 0 ? { OrNone: others } : { IsNone: true }
}

const namesLike = (pattern: RegExp, example: string) =>
  v.pipe(v.string(), v.transform(canonicalName), v.string(), v.regex(pattern), v.examples([example]))

/** For lists of several projects. */
export const projects = described(
  anyOf(namesLike(projectNamePattern, 'WEB'), 'must be the id or key of a project, or several separated by commas'),
  'Only rows of these projects, by id or key. Projects that the key cannot access match nothing.',
)

const taskRule = 'must be the id, number or reference of a task'

export const taskNames = anyOf(namesLike(taskNamePattern, 'WEB-82'), `${taskRule}, or several separated by commas`)

/** Sets :name if all are ids, otherwise :nameName or, if there are several, :nameNames. */
export const tasks = described(v.pipe(taskNames, v.transform(splitNames)), 'Tasks, by id, number or reference.')

/** Sets one of the parameters of `tasks` and `idsOrNone`. :nameOrNone can contain names. */
export const tasksOrNone = described(
  v.pipe(
    anyOf(namesLike(taskNameOrNonePattern, 'WEB-82'), `${taskRule}, or "none", or several separated by commas`),
    v.transform((values) => (values?.includes('none') ? splitNone(values) : splitNames(values))),
  ),
  'Tasks, by id, number or reference, or `none` for items without one.',
)

function splitNames(values: string[] | null): FilterValue {
  if (!values || values.every(isUuid)) return values
  return values.length === 1 ? { Name: values[0]! } : { Names: values }
}

export const references = described(
  anyOf(
    v.pipe(v.string(), v.regex(referencePattern), v.examples(['WEB-82'])),
    'must be the reference of a task, such as WEB-82, or several separated by commas',
  ),
  'References of tasks. One with the key of another project matches nothing.',
)

const maxDigits = 15

/** The values stay text, since array parameters are passed as text. */
export const numbers = anyOf(
  v.pipe(
    v.string(),
    v.check((text) => /^[1-9]\d*$/.test(text) && text.length <= maxDigits),
    v.metadata({ type: 'integer', minimum: 1, maximum: 10 ** maxDigits - 1 }),
  ),
  `must be an integer between 1 and ${10 ** maxDigits - 1}, or several separated by commas`,
)

/** The statement compares them case-insensitively. */
export const names = described(
  anyOf(
    v.pipe(v.string(), v.regex(/\S/), v.maxCodePoints(100), v.examples(['design'])),
    'must be a name of at most 100 characters, or several separated by commas',
  ),
  'Names, case-insensitive.',
)

export const typesOrNone = anyOf(
  v.pipe(v.string(), v.toLowerCase(), v.regex(/\S/), v.maxCodePoints(100), v.examples(['bug'])),
  'must be a type of at most 100 characters or "none", or several separated by commas',
)

/** Sets :name, or :nameOrNone if tasks without a type match as well. */
export const types = described(
  v.pipe(
    typesOrNone,
    v.transform((types): FilterValue =>
      types?.includes('none') ? { OrNone: types.filter((type) => type !== 'none') } : types,
    ),
  ),
  'Types of tasks, case-insensitive, or `none` for tasks without one.',
)

/** Compared exactly. */
export const externalIds = described(
  anyOf(
    v.pipe(v.string(), v.regex(/\S/), v.maxCodePoints(200), v.examples(['acme/website#12'])),
    'must be an external id of at most 200 characters, or several separated by commas',
  ),
  'The ids of the tasks in the tools that they come from.',
)

export const flag = filter(
  v.pipe(
    v.picklist(['true', 'false'], 'must be true or false'),
    v.transform((text) => text === 'true'),
    v.boolean(),
  ),
)

/** Sets :name if it is true, and :nameIsFalse if it is false, for conditions that are not each other's negation. */
export const eitherWay = v.pipe(
  flag,
  v.transform((value): FilterValue => (value === false ? { IsFalse: true } : value)),
)

export const search = described(
  filter(
    v.pipe(
      v.string(),
      v.maxCodePoints(200, 'must have at most 200 characters'),
      v.check((text) => /[\p{L}\p{N}]/u.test(text), 'must contain a letter or a digit'),
      v.metadata({ minLength: 1, examples: ['invoice'] }),
    ),
  ),
  'Matches whole words and beginnings of words, in any order, case-insensitively. Must contain a letter or a digit.',
)

export const prefix = described(
  filter(
    v.pipe(
      v.string(),
      v.nonEmpty('must not be empty'),
      v.maxCodePoints(1_000, 'must have at most 1000 characters'),
      v.examples(['guides/']),
    ),
  ),
  'The beginning of a path. It is compared literally: no character is a wildcard.',
)

/** No format: it would be wrong for one of the two, and generators refuse or mistranslate a choice of formats. */
const timeOrDate = {
  pattern: momentPattern.source,
  description:
    'A time with a UTC offset (`T` and `Z` in upper case, no leap seconds; in a raw URL, `+` is written `%2B`), or a date, which means the start of that day in UTC. `…After` is inclusive, `…Before` is exclusive.',
}

const aTime = 'a time such as 2026-11-21T09:30:00Z (encode the + of an offset as %2B)'
const aDate = 'a date such as 2026-11-21'

function time(message: string, read: (moment: string) => string) {
  return v.pipe(v.string(), v.check(isMoment, message), v.metadata(timeOrDate), v.transform(read))
}

export const moment = filter(time(`must be ${aTime}, or ${aDate}`, exactMoment))

const shown = (moment: string) => new Date(firstMsFrom(moment)).toISOString()

/** A time in the format of responses. Not a filter: it is always given. */
export const shownMoment = v.pipe(
  v.string(),
  v.check(isMoment, `must be ${aTime}, or ${aDate}`),
  // An offset or a fraction can lead out of them.
  v.check(
    (moment) => !isMoment(moment) || /^(?!0000)\d{4}-/.test(shown(moment)),
    'must be in the years 1 to 9999 in UTC',
  ),
  v.metadata(timeOrDate),
  v.transform(shown),
)

/** For columns of type date: the first day that starts (in UTC) at or after the given time. */
export const dayBound = filter(time(`must be ${aDate}, or ${aTime}`, firstDayFrom))

export const timeFilters = {
  createdAfter: moment,
  createdBefore: moment,
  updatedAfter: moment,
  updatedBefore: moment,
}

/**
 * A filter sets the parameter of its name, null if it is absent, or several explicit ones: for these it yields an object,
 * whose names are added to its own.
 */
export type FilterValue = Value | Readonly<Record<string, Value>>

const suffixes = ['', 'Name', 'Names', 'OrNone', 'IsNone', 'IsFalse']

/** The parameters that a filter can set. */
export const filterParameters = (name: string) => suffixes.map((suffix) => name + suffix)

export function filterParams(filters: Readonly<Record<string, FilterValue>>): Params {
  const params: Record<string, Value> = {}
  for (const [name, value] of Object.entries(filters)) {
    if (isObject(value)) for (const suffix in value) params[name + suffix] = value[suffix]!
    else params[name] = value
  }
  return params
}

const isObject = (value: FilterValue): value is Exclude<FilterValue, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True if a parameter is set by this filter and selects one value, or the rows without one. */
export const isOneValue = (name: string, parameter: string, value: Value | undefined): boolean =>
  [`${name}Name`, `${name}IsNone`].includes(parameter) ||
  (parameter === name && Array.isArray(value) && value.length === 1)
