// Defines the schemas of the fields in request bodies.

import * as v from 'valibot'
import { canonicalName, taskNamePattern } from '../input/object-names.ts'
import { isDay } from '../input/values.ts'

/** An optional field. Leaving it out is the same as null. */
export function optional<Schema extends v.GenericSchema<unknown, unknown>>(schema: Schema) {
  return v.nullish(schema, null)
}

/** Text that the database can store. Lengths are in characters; NUL and unpaired surrogates are rejected. */
export function text(min: number, max: number) {
  const range = `must be a string of ${min > 0 ? `${min} to ` : 'at most '}${max} characters`
  return v.pipe(
    v.string(range),
    v.minLength(min, range),
    v.maxCodePoints(max, range),
    v.check((value) => value.isWellFormed() && !value.includes('\0'), 'must not contain NUL or an unpaired surrogate'),
    v.check((value) => min === 0 || visiblePattern.test(value), 'must not be blank'),
    v.metadata(min === 0 ? {} : { pattern: visiblePattern.source }),
  )
}

// Stricter than the database's check in any locale.
const visiblePattern = /[^\s\u0085\u180e\u200b-\u200d\u2060]/

function textWithout(characters: string, message: string, max: number) {
  const allowed = `[^${characters}]*`
  const form = new RegExp(`^${allowed}$`)
  return v.pipe(
    text(1, max),
    v.check((value) => form.test(value), message),
    v.metadata({ pattern: `^${allowed}${visiblePattern.source.replace('[^', `[^${characters}`)}${allowed}$` }),
  )
}

/** For values that filters accept in lists, separated by commas. */
export const textWithoutComma = (max: number) => textWithout(',', 'must not contain a comma', max)

/** Filters accept none for tasks without a type, so it is no type. */
export const taskType = v.pipe(
  textWithout('A-Z,', 'must be in lower case and contain no comma', 100),
  v.transform((type) => (type === 'none' ? null : type)),
)

export const id = v.pipe(v.string('must be a UUID'), v.uuid('must be a UUID'), v.toLowerCase())

const taskRule = 'must be the id, number or reference of a task'
export const taskName = v.pipe(
  v.string(taskRule),
  v.regex(taskNamePattern, taskRule),
  v.transform(canonicalName),
  v.string(),
  v.description('The id, the number (as text) or the reference of a task.'),
)

export const day = v.pipe(
  v.string('must be a date such as 2026-11-21'),
  v.check(isDay, 'must be a date such as 2026-11-21'),
  v.metadata({ format: 'date' }),
)

export const choiceOf = <const Values extends readonly string[]>(values: Values) =>
  v.picklist(values, `must be one of ${values.join(', ')}`)

export function listOf<Schema extends v.GenericSchema<unknown, unknown>>(item: Schema, max: number, what: string) {
  const message = `must be an array of at most ${max} ${what}`
  return v.pipe(v.array(item, message), v.maxLength(max, message))
}

interface Dates {
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
}

export function dueNotBeforeStart({ startDate, dueDate }: Dates): boolean {
  return startDate == null || dueDate == null || dueDate >= startDate
}

interface Assignees {
  assigneeId?: string | null | undefined
  assigneeIds?: string[] | undefined
}

export function beginsWithAssignee({ assigneeId, assigneeIds }: Assignees): boolean {
  return !assigneeId || !assigneeIds?.length || assigneeIds[0] === assigneeId
}

/** The schema of a whole body. */
export const fields = <const Entries extends v.ObjectEntries>(entries: Entries) => v.object(entries, 'is missing')
