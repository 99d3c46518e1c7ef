// Declares and checks the rows that are staged in the database: objects with the fields of the API, and ids of this
// service. These are also the lines of an export.

import * as v from 'valibot'
import { isMoment, priorities, stageCategories, taskStates } from '../../api/input/values.ts'
import { choiceOf, day, text, textWithoutComma } from '../../api/writes/fields.ts'
import { InvalidValue } from './invalid.ts'

/** A time without an offset is in the time zone of the import. */
const localTime = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?$/
const timeRule = 'must be a time such as 2026-11-21T09:30:00Z'
const moment = v.pipe(
  v.string(timeRule),
  v.check((time) => isMoment(localTime.test(time) ? `${time}Z` : time), timeRule),
)

const seconds = v.pipe(
  v.number('must be a number of seconds'),
  v.integer('must be a whole number of seconds'),
  v.minValue(0, 'must be 0 or more'),
  v.maxValue(2_147_483_647, 'must be 2147483647 or less'),
)
const id = v.string()
const url = v.pipe(text(1, 2_000), v.regex(/^https?:\/\/\S+$/, 'must be a URL that starts with http:// or https://'))

const schemas = {
  project: v.object({
    name: text(1, 200),
    key: v.optional(v.string()),
    keyBase: v.optional(v.string()),
    description: v.optional(v.nullable(text(0, 20_000))),
  }),
  user: v.object({ name: text(1, 200), email: v.optional(v.nullable(v.string())) }),
  board: v.object({ name: text(1, 200), isFirst: v.boolean() }),
  stage: v.object({
    boardId: id,
    name: text(1, 200),
    category: choiceOf(stageCategories),
    position: v.optional(v.number()),
  }),
  task: v.object({
    number: v.optional(v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1, 'must be 1 or more'))),
    title: text(1, 500),
    description: v.optional(v.nullable(text(0, 100_000))),
    state: v.optional(choiceOf(taskStates)),
    priority: v.optional(choiceOf(priorities)),
    stageId: v.optional(id),
    parentId: v.optional(v.nullable(id)),
    assigneeId: v.optional(v.nullable(id)),
    creatorId: v.optional(v.nullable(id)),
    startDate: v.optional(v.nullable(day)),
    dueDate: v.optional(v.nullable(day)),
    estimateSeconds: v.optional(v.nullable(seconds)),
    completedAt: v.optional(v.nullable(moment)),
    cancelledAt: v.optional(v.nullable(moment)),
    externalId: textWithoutComma(200),
    externalUrl: v.optional(v.nullable(url)),
    createdAt: v.optional(moment),
    updatedAt: v.optional(moment),
    tags: v.optional(v.array(v.object({ id, name: textWithoutComma(100), color: v.optional(v.string()) }))),
    watcherIds: v.optional(v.array(id)),
  }),
  comment: v.object({
    taskId: id,
    authorId: v.optional(v.nullable(id)),
    body: text(1, 100_000),
    createdAt: v.optional(moment),
    updatedAt: v.optional(moment),
    files: v.optional(
      v.array(
        v.object({
          id,
          name: text(1, 500),
          mimeType: v.pipe(v.string(), v.regex(/^[^\s/]+\/[^\s/]+$/, 'must be a media type such as image/png')),
          sizeBytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
          url: v.string(),
          createdAt: v.optional(moment),
        }),
      ),
    ),
  }),
  timeEntry: v.object({
    taskId: id,
    userId: id,
    description: v.optional(v.nullable(text(0, 20_000))),
    spentOn: day,
    startedAt: moment,
    endedAt: v.nullable(moment),
    billable: v.optional(v.boolean()),
  }),
}

export type Kind = keyof typeof schemas

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
  const value = typeof issue.input === 'string' ? issue.input : String(JSON.stringify(issue.input))
  throw new InvalidValue(v.getDotPath(issue) ?? kind, value, issue.message)
}
