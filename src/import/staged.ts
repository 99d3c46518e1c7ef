// Declares and checks the rows that are staged in the database: objects with the fields of the API, and ids of this
// service. These are also the lines of an export.

import * as v from 'valibot'
import {
  fieldTypes,
  firstMsFrom,
  isMoment,
  isUuid,
  memberRoles,
  priorities,
  projectStatuses,
  stageCategories,
  taskStates,
  textFormats,
} from '../api/input/values.ts'
import { fieldNamePattern, fieldNameRule, projectKeyPattern, projectKeyRule } from '../api/input/object-names.ts'
import { beginsWithAssignee, choiceOf, day, dueNotBeforeStart, text, textWithoutComma } from '../api/writes/fields.ts'
import { importedFields } from '../resources/tasks/copied-input.ts'
import { givenOwnFields } from '../resources/tasks/own-fields.ts'
import { invalidValue } from './read-record.ts'

/** A time without an offset is in the time zone of the import. */
const localTime = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?$/
const timeRule = 'must be a time such as 2026-11-21T09:30:00Z'
const [firstMs, endMs] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z') + 1]
const maxOffsetMs = 16 * 3_600_000

/** Whatever the time zone is, the time is in the years 1 to 9999. */
function isInRange(time: string): boolean {
  const isLocal = localTime.test(time) || !time.includes('T')
  const ms = firstMsFrom(localTime.test(time) ? `${time}Z` : time)
  const margin = isLocal ? maxOffsetMs : 0
  return ms >= firstMs + margin && ms < endMs - margin
}

export const moment = v.pipe(
  v.string(timeRule),
  v.check((time) => isMoment(localTime.test(time) ? `${time}Z` : time), timeRule),
  v.check(isInRange, 'must be in the years 1 to 9999'),
)

function integer(min: number, max: number, what = 'a whole number') {
  const rule = `must be ${what} from ${min} to ${max}`
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(min, rule), v.maxValue(max, rule))
}

// Numbers that grow by themselves begin well below the largest that their columns can contain.
const growing = integer(1, 9_000_000_000_000_000)
const growingInteger = integer(1, 2_000_000_000)
const position = integer(-2_000_000_000, 2_000_000_000)

const id = v.pipe(v.string(), v.check(isUuid, 'must be a UUID'))
const url = v.pipe(text(1, 2_000), v.regex(/^https?:\/\/\S+$/, 'must be a URL that starts with http:// or https://'))
const color = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/, 'must be a color such as #d73a4a'))
const email = v.pipe(text(3, 320), v.regex(/^[^@\s]+@[^@\s]+$/, 'must be an e-mail address'))

const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema))
const times = { createdAt: v.optional(moment), updatedAt: v.optional(moment) }

const sizeBytes = integer(0, Number.MAX_SAFE_INTEGER, 'a whole number of bytes')
const fileFields = {
  creatorId: optional(id),
  name: text(1, 500),
  mimeType: v.pipe(text(3, 255), v.regex(/^[^\s/]+\/[^\s/]+$/, 'must be a media type such as image/png')),
  sha256: optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 digest in hexadecimal'))),
  url,
}

const schemas = {
  user: v.object({
    name: text(1, 200),
    email: optional(email),
    isLogin: v.optional(v.boolean()),
    active: v.optional(v.boolean()),
    ...times,
  }),
  team: v.object({
    name: text(1, 200),
    description: optional(text(0, 20_000)),
    ...times,
    members: v.array(v.object({ userId: id, joinedAt: moment })),
  }),
  project: v.pipe(
    v.object({
      name: text(1, 200),
      key: v.optional(v.pipe(v.string(), v.regex(projectKeyPattern, projectKeyRule))),
      /** The key is the choice of the user, and not that of the file. */
      byKey: v.optional(v.literal(true)),
      /** A project without a key gets one that begins with this. */
      keyBase: v.optional(v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9]{1,3}$/))),
      description: optional(text(0, 20_000)),
      status: v.optional(choiceOf(projectStatuses)),
      ownerId: optional(id),
      startDate: optional(day),
      dueDate: optional(day),
      ...times,
      version: v.optional(growing),
      members: v.optional(
        v.array(v.object({ userId: id, role: choiceOf(memberRoles), joinedAt: moment, updatedAt: moment })),
      ),
      teams: v.optional(v.array(v.object({ teamId: id, addedAt: moment }))),
    }),
    v.forward(v.partialCheck([['startDate'], ['dueDate']], dueNotBeforeStart, 'must not be before startDate'), [
      'dueDate',
    ]),
  ),
  field: v.object({ name: v.pipe(v.string(), v.regex(fieldNamePattern, fieldNameRule)), type: choiceOf(fieldTypes) }),
  board: v.object({
    name: text(1, 200),
    isFirst: v.optional(v.boolean()),
    description: optional(text(0, 20_000)),
    position: v.optional(position),
    archived: v.optional(v.boolean()),
    ...times,
  }),
  stage: v.object({
    boardId: id,
    name: text(1, 200),
    category: choiceOf(stageCategories),
    position: v.optional(position),
    wipLimit: optional(integer(1, 2_147_483_647)),
    ...times,
  }),
  tag: v.object({ name: textWithoutComma(100), color: optional(color) }),
  task: v.pipe(
    v.object({
      ofEntries: v.optional(v.literal(true)),
      /** Texts of a row of a sheet, which may have been exported from here. */
      sheetRow: v.optional(v.object({ project: v.string(), parent: optional(v.string()) })),
      number: v.optional(growing),
      version: v.optional(growing),
      title: text(1, 500),
      description: optional(text(0, 100_000)),
      state: v.optional(choiceOf(taskStates)),
      priority: v.optional(choiceOf(priorities)),
      boardId: optional(id),
      stageId: optional(id),
      parentId: optional(id),
      assigneeId: optional(id),
      assigneeIds: v.optional(v.array(id)),
      creatorId: optional(id),
      ...importedFields,
      fields: v.optional(givenOwnFields),
      /** The file may have others, and values that are texts. */
      givenFields: v.optional(givenOwnFields),
      completedAt: optional(moment),
      cancelledAt: optional(moment),
      externalId: optional(textWithoutComma(200)),
      ...times,
      tags: v.optional(v.array(v.object({ id, name: textWithoutComma(100), color: optional(color) }))),
      watcherIds: v.optional(v.array(id)),
    }),
    v.forward(v.partialCheck([['assigneeId'], ['assigneeIds']], beginsWithAssignee, 'must begin with assigneeId'), [
      'assigneeIds',
    ]),
    v.transform(({ assigneeId, assigneeIds, ...task }) => ({
      ...task,
      assigneeIds: assigneeId === undefined || assigneeIds?.length ? assigneeIds : assigneeId ? [assigneeId] : [],
    })),
  ),
  comment: v.object({
    taskId: id,
    authorId: optional(id),
    body: text(1, 100_000),
    bodyFormat: optional(choiceOf(textFormats)),
    ...times,
    files: v.optional(v.array(v.object({ id, ...fileFields, sizeBytes, ...times }))),
  }),
  file: v.object({
    taskId: id,
    ...fileFields,
    sizeBytes: optional(sizeBytes),
    ...times,
  }),
  time_entry: v.object({
    taskId: v.nullable(id),
    named: v.optional(v.object({ title: v.string(), text: v.string() })),
    userId: id,
    description: optional(text(0, 20_000)),
    spentOn: day,
    startedAt: moment,
    endedAt: v.nullable(moment),
    timed: v.optional(v.boolean()),
    billable: v.optional(v.boolean()),
    ...times,
  }),
  document: v.object({
    path: v.pipe(text(1, 1_000), v.regex(/^[^/\s]/, 'must not begin with a slash or a space')),
    title: text(1, 500),
    taskId: optional(id),
    authorId: optional(id),
    markdown: v.pipe(text(0, 100_000_000), v.maxBytes(100_000_000, 'must be at most 100000000 bytes')),
    revision: growingInteger,
    createdAt: moment,
    updatedAt: moment,
  }),
}

export type Kind = keyof typeof schemas
export const kinds = Object.keys(schemas)

export interface StagedRow {
  kind: Kind
  /** The id of the project, or that of nothing for people. */
  projectId: string
  id: string
  data: unknown
}

/** Throws InvalidValue with the name of the field. */
export function staged(kind: Kind, projectId: string, id: string, data: object): StagedRow {
  const result = v.safeParse<v.GenericSchema>(schemas[kind], data, { abortEarly: true })
  if (result.success) return { kind, projectId, id, data: result.output }
  const [issue] = result.issues
  throw invalidValue(v.getDotPath(issue) ?? kind, issue)
}
