// Declares and checks the rows that are staged in the database: objects with the fields of the API, and ids of this
// service. These are also the lines of an export.

import * as v from 'valibot'
import {
  isMoment,
  isUuid,
  memberRoles,
  priorities,
  projectStatuses,
  stageCategories,
  taskStates,
} from '../../api/input/values.ts'
import { projectKeyPattern } from '../../api/input/object-names.ts'
import { choiceOf, day, text, textWithoutComma } from '../../api/writes/fields.ts'
import { invalidValue } from './read-record.ts'

/** A time without an offset is in the time zone of the import. */
const localTime = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?$/
const timeRule = 'must be a time such as 2026-11-21T09:30:00Z'
export const moment = v.pipe(
  v.string(timeRule),
  v.check((time) => isMoment(localTime.test(time) ? `${time}Z` : time), timeRule),
)

const seconds = v.pipe(
  v.number('must be a number of seconds'),
  v.integer('must be a whole number of seconds'),
  v.minValue(0, 'must be 0 or more'),
  v.maxValue(2_147_483_647, 'must be 2147483647 or less'),
)
const id = v.pipe(v.string(), v.check(isUuid, 'must be a UUID'))
const url = v.pipe(text(1, 2_000), v.regex(/^https?:\/\/\S+$/, 'must be a URL that starts with http:// or https://'))

const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema))
const count = v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1, 'must be 1 or more'))
const times = { createdAt: v.optional(moment), updatedAt: v.optional(moment) }

const schemas = {
  user: v.object({ name: text(1, 200), email: optional(v.string()), active: v.optional(v.boolean()), ...times }),
  team: v.object({
    name: text(1, 200),
    description: optional(text(0, 20_000)),
    ...times,
    members: v.array(v.object({ userId: id, joinedAt: moment })),
  }),
  project: v.object({
    name: text(1, 200),
    key: v.optional(v.pipe(v.string(), v.regex(projectKeyPattern, 'must be 2 to 10 of the characters A-Z and 0-9'))),
    keyBase: v.optional(v.string()),
    description: optional(text(0, 20_000)),
    status: v.optional(choiceOf(projectStatuses)),
    ownerId: optional(id),
    startDate: optional(day),
    dueDate: optional(day),
    ...times,
    version: v.optional(count),
    members: v.optional(
      v.array(v.object({ userId: id, role: choiceOf(memberRoles), joinedAt: moment, updatedAt: moment })),
    ),
    teams: v.optional(v.array(v.object({ teamId: id, addedAt: moment }))),
  }),
  board: v.object({
    name: text(1, 200),
    isFirst: v.optional(v.boolean()),
    description: optional(text(0, 20_000)),
    position: v.optional(v.number()),
    archived: v.optional(v.boolean()),
    ...times,
  }),
  stage: v.object({
    boardId: id,
    name: text(1, 200),
    category: choiceOf(stageCategories),
    position: v.optional(v.number()),
    wipLimit: optional(count),
    ...times,
  }),
  tag: v.object({ name: textWithoutComma(100), color: optional(v.string()) }),
  task: v.object({
    number: v.optional(count),
    version: v.optional(count),
    title: text(1, 500),
    description: optional(text(0, 100_000)),
    state: v.optional(choiceOf(taskStates)),
    priority: v.optional(choiceOf(priorities)),
    boardId: optional(id),
    stageId: optional(id),
    parentId: optional(id),
    assigneeId: optional(id),
    creatorId: optional(id),
    startDate: optional(day),
    dueDate: optional(day),
    estimateSeconds: optional(seconds),
    completedAt: optional(moment),
    cancelledAt: optional(moment),
    externalId: optional(textWithoutComma(200)),
    externalUrl: optional(url),
    ...times,
    tags: v.optional(v.array(v.object({ id, name: textWithoutComma(100), color: optional(v.string()) }))),
    watcherIds: v.optional(v.array(id)),
  }),
  comment: v.object({
    taskId: id,
    authorId: optional(id),
    body: text(1, 100_000),
    ...times,
    files: v.optional(
      v.array(
        v.object({
          id,
          name: text(1, 500),
          mimeType: v.pipe(v.string(), v.regex(/^[^\s/]+\/[^\s/]+$/, 'must be a media type such as image/png')),
          sizeBytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
          sha256: optional(v.string()),
          url: v.string(),
          createdAt: v.optional(moment),
        }),
      ),
    ),
  }),
  timeEntry: v.object({
    taskId: id,
    userId: id,
    description: optional(text(0, 20_000)),
    spentOn: day,
    startedAt: moment,
    endedAt: v.nullable(moment),
    billable: v.optional(v.boolean()),
    ...times,
  }),
  document: v.object({
    path: text(1, 1_000),
    title: text(1, 500),
    taskId: optional(id),
    authorId: optional(id),
    markdown: text(0, 100_000_000),
    revision: count,
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
