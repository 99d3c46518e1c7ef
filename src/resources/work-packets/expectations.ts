// The expectations that a client can have of a task, one row each: the query parameter, how the database finds the actual
// value and the change that made it so, and when it is met. The OpenAPI document and the guide describe them from here.

import * as v from 'valibot'
import { taskNameOrNonePattern, canonicalName } from '../../api/input/object-names.ts'
import { integerUpTo } from '../../api/input/query-string.ts'
import { isDay, maxAssignees, priorities, stageCategories, taskStates } from '../../api/input/values.ts'
import { idOrNone, shownMoment } from '../../api/lists/filters.ts'
import { maxInteger } from '../../api/responses/response-schemas.ts'
import { include, partsOf } from '../../db/statements/template.ts'
import { copiedFields, type CopiedField, type forms } from '../tasks/copied-fields.ts'
import namedTask from '../../../sql/tasks/named-task.sql'
import checksSql from '../../../sql/work-packets/checks.sql'

const part = partsOf(checksSql)
const change = part('change')

export type Expected = string | number | boolean | null

export interface Expectation {
  /** For the guide and the OpenAPI document. */
  meaning: string
  input: v.GenericSchema<string, Expected>
  type: 'text' | 'bigint' | 'boolean'
  /** Finds `actual` and `change` of task t, if there is something. The service itself computes the digest. */
  sql: string | null
  /** The expected value as JSON, if it is not the parameter itself. */
  shown?(expected: string): string
  /** The condition under which c.actual meets the expected value. */
  isMet(expected: string): string
  /** The changes by which it can be met: of the task, of anything in the project, or also of users. */
  dependsOn: 'task' | 'project' | 'everything'
  /** The ids of the users whom the expected value means. If it is a name, it also depends on users. */
  people?: string
}

const isSame = (expected: string) => `coalesce(c.actual::text, 'none') = ${expected}`
const isAtLeast = (expected: string) => `c.actual >= ${expected}`
const isNotBefore = (expected: string) => `c.actual::timestamptz >= ${expected}::timestamptz`
const isThere = () => 'c.actual is not null'
const isAbsent = () => 'c.actual is null'
const isTrue = () => 'c.actual'

const text = (max: number, example: string) =>
  v.pipe(
    v.string(),
    v.regex(/\S/, 'must not be blank'),
    v.maxCodePoints(max, `must have at most ${max} characters`),
    v.examples([example]),
  )
const oneOf = (values: readonly string[]) => v.picklist(values, `must be one of ${values.join(', ')}`)
const like = (rule: string, form: RegExp, ...examples: string[]) =>
  v.pipe(v.string(), v.regex(form, `must be ${rule}`), v.examples(examples))

const uuid = '[\\da-fA-F]{8}(-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}'
const hex = '0123456789abcdef'.repeat(4)
const sha256 = v.pipe(like('64 hex digits', /^[0-9a-fA-F]{64}$/, hex), v.toLowerCase())
const sha256OrNone = v.pipe(like('64 hex digits, or none', /^([0-9a-fA-F]{64}|none)$/, hex), v.toLowerCase())
const digest = v.pipe(
  like('sha256: followed by 64 hex digits', /^sha256:[0-9a-fA-F]{64}$/, `sha256:${hex}`),
  v.toLowerCase(),
)
const id = v.pipe(
  v.string(),
  v.check((value) => v.is(idOrNone, value), 'must be a UUID or "none"'),
  idOrNone,
)
const day = v.pipe(
  v.string(),
  v.check((value) => value === 'none' || isDay(value), 'must be a date such as 2026-11-21, or none'),
  v.metadata({ pattern: String.raw`^(\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])|none)$`, examples: ['2026-11-21'] }),
)
const task = v.pipe(
  v.string(),
  v.transform(canonicalName),
  like('the id, number or reference of a task, or none', taskNameOrNonePattern, 'WEB-82'),
)
const person = v.pipe(v.string(), v.transform(canonicalName), text(320, 'ada@example.com'))
/** A pattern: an enumeration with the same values as another one would get in its way in generated clients. */
const categoryOrNone = like(
  `one of ${stageCategories.join(', ')}, none`,
  new RegExp(`^(${stageCategories.join('|')}|none)$`),
  'done',
)
const theTrue = v.pipe(
  v.picklist(['true'], 'must be true'),
  v.transform(() => true),
)

const orNone = (expected: string, isMet: string) =>
  `case ${expected} when 'none' then c.actual is null else ${isMet} end`
const peopleIn = (parameter: string) => include(part('people'), { person: `:${parameter}::text` })

const ofTask = (actual: string, isChange: string) => include(part('taskValue'), { actual, isChange, change })
/** A field of the task, and its last change, which can be the creation of the task. */
const field = (name: string, column: string) => ofTask(column, `(e.changes ? '${name}' or e.version = 1)`)
const changesAssignees = `(e.changes ?| '{assigneeId,assigneeIds}' or e.version = 1)`
const written = (actual: string, condition: string) => include(part('history'), { actual, condition, change })
/** The last entry of the journal about object o that is its creation, or changes one of the fields. */
const entry = (kind: string, fields: string) => include(part('journalEntry'), { kind, fields: `{${fields}}` })
const first = (table: string, actual: string, condition: string, lastEntry: string) =>
  include(part('evidence'), { table, actual, condition, change, journalEntry: lastEntry })

const isByAuthor = `o.author_id = any (${peopleIn('commentBy')})`
const isAtPath = 'o.path = :documentPath::text'

const ofText = { type: 'text', isMet: isSame, dependsOn: 'task' } as const
const inProject = { type: 'text', isMet: isThere, dependsOn: 'project' } as const
const ofPeople = { type: 'text', input: person, dependsOn: 'task' } as const

type OfForm = Pick<Expectation, 'input' | 'meaning' | 'shown'> & { actual(column: string): string }
/** Undefined for forms of which nobody expects a value. */
const ofForms: Record<keyof typeof forms, (field: CopiedField) => OfForm | undefined> = {
  type: () => ({
    input: v.pipe(text(100, 'bug'), v.toLowerCase()),
    actual: (column) => column,
    meaning: 'The type in any case, or `none`',
  }),
  day: () => ({ input: day, actual: (column) => `to_char(${column}, 'YYYY-MM-DD')`, meaning: 'A date, or `none`' }),
  whole: ({ unit, max = maxInteger, example = '1' }) => ({
    input: like(`a number of ${unit}, or none`, new RegExp(`^(none|0|[1-9]\\d{0,${`${max}`.length - 1}})$`), example),
    actual: (column) => column,
    shown: (expected) =>
      `case ${expected} when 'none' then to_json('none'::text) else to_json(${expected}::bigint) end`,
    meaning: `A number of ${unit}, or \`none\``,
  }),
  textFormat: () => undefined,
  url: () => undefined,
}
const ofCopiedFields = Object.fromEntries(
  Object.entries<CopiedField>(copiedFields).flatMap(([name, copied]) => {
    const { actual, ...expectation } = ofForms[copied.form](copied) ?? {}
    return actual
      ? [[name, { ...ofText, ...expectation, sql: field(name, actual(`t.${copied.column}`)) } as Expectation]]
      : []
  }),
)

/** In the order of the checks. */
// prettier-ignore
export const expectations: Readonly<Record<string, Expectation>> = {
  state: { ...ofText, input: oneOf(taskStates), sql: field('state', 't.state'), meaning: '`open`, `completed` or `cancelled`' },
  priority: { ...ofText, input: oneOf(priorities), sql: field('priority', 't.priority'), meaning: '`none`, `low`, `medium`, `high` or `urgent`' },
  title: { ...ofText, input: text(500, 'Call the printer'), sql: field('title', 't.title'), meaning: 'The title, exactly' },
  descriptionSha256: { ...ofText, input: sha256OrNone, sql: field('description', 'workgate.sha256_hex(t.description)'), meaning: 'The SHA-256 of the description, or `none`' },
  ...ofCopiedFields,
  boardId: { ...ofText, input: id, sql: field('boardId', 't.board_id'), meaning: 'An id, or `none`' },
  stageId: { ...ofText, input: id, sql: field('stageId', 't.stage_id'), meaning: 'An id, or `none`' },
  stageCategory: { ...ofText, input: categoryOrNone, sql: field('stageId', part('stageCategory')), dependsOn: 'project', meaning: '`backlog`, `active` or `done`, or `none` if the task has no stage' },
  parentId: {
    ...ofText, input: task, sql: field('parentId', 't.parent_id'), dependsOn: 'project',
    isMet: (expected) => orNone(expected, `c.actual = ${include(part('parent'), { namedTask, project: ':projectId' })}`),
    meaning: 'The id, the number or the reference of a task, or `none`',
  },
  assigneeId: {
    ...ofPeople, people: peopleIn('assigneeId'),
    sql: ofTask(
      `coalesce(
        (select a.id from unnest(t.assignee_ids[2:]) a (id) where :assigneeId::text <> 'none' and a.id = any (${peopleIn('assigneeId')}) limit 1),
        t.assignee_id)`,
      changesAssignees),
    isMet: (expected) => orNone(expected, `c.actual = any (${peopleIn('assigneeId')})`),
    meaning: 'A person who is an assignee, or `none`',
  },
  assigneeIds: {
    ...ofText, input: v.pipe(like('ids separated by commas, or none', new RegExp(`^(none|${uuid}(,${uuid}){0,${maxAssignees - 1}})$`), 'none'), v.toLowerCase()),
    sql: ofTask(`nullif(array_to_string(workgate.assignees_of(t.assignee_id, t.assignee_ids), ','), '')`, changesAssignees),
    meaning: 'The ids of all assignees in their order, separated by commas, or `none`',
  },
  hasTag: {
    ...ofText, input: text(100, 'phone'), isMet: isThere,
    sql: ofTask(include(part('tag'), { tag: ':hasTag::text' }), include(part('tagChanged'), { tag: ':hasTag::text' })),
    meaning: 'The name of a tag that the task has, in any case',
  },
  lacksTag: {
    ...ofText, input: text(100, 'phone'), isMet: isAbsent,
    sql: ofTask(include(part('tag'), { tag: ':lacksTag::text' }), include(part('tagChanged'), { tag: ':lacksTag::text' })),
    meaning: 'The name of a tag that the task does not have, in any case',
  },
  hasWatcher: {
    ...ofPeople, isMet: isThere, people: peopleIn('hasWatcher'),
    sql: ofTask(include(part('watcher'), { people: peopleIn('hasWatcher') }), include(part('watcherChanged'), { people: peopleIn('hasWatcher') })),
    meaning: 'A person who watches the task',
  },
  minComments: {
    ...inProject, type: 'bigint', input: integerUpTo(999_999_999), isMet: isAtLeast,
    sql: include(part('commentCount'), { change, journalEntry: entry('comment', 'taskId') }),
    meaning: 'The lowest accepted number of comments',
  },
  commentBy: {
    ...ofPeople, isMet: isThere, people: peopleIn('commentBy'), dependsOn: 'project',
    sql: first('comments', 'o.author_id', isByAuthor, entry('comment', 'taskId,authorId')),
    meaning: 'A person who has written a comment',
  },
  commentSha256: {
    ...inProject, input: sha256,
    sql: first('comments', ':commentSha256::text', `workgate.sha256_hex(o.body) = :commentSha256 {{#commentBy}}and ${isByAuthor}{{/commentBy}}`, entry('comment', 'taskId,authorId,body')),
    meaning: 'The SHA-256 of a comment; with `commentBy`, of a comment by this person',
  },
  fileSha256: {
    ...inProject, input: sha256, sql: first('files', 'o.sha256', 'o.sha256 = :fileSha256::text', entry('file', 'taskId,sha256')),
    meaning: 'The SHA-256 of a file of the task or of one of its comments',
  },
  minTimeSeconds: {
    ...inProject, type: 'bigint', input: integerUpTo(999_999_999_999), isMet: isAtLeast,
    sql: include(part('trackedTime'), { change, journalEntry: entry('time_entry', 'taskId,startedAt,endedAt,durationSeconds') }),
    meaning: 'The lowest accepted tracked time, in seconds, of the time entries that have ended',
  },
  documentPath: {
    ...inProject, input: text(1_000, 'guides/setup.md'), sql: first('documents', 'o.path', isAtPath, entry('document', 'taskId,path')),
    meaning: 'The path of a document of the task',
  },
  documentSha256: {
    ...inProject, input: sha256, isMet: isSame,
    sql: first('documents', 'o.sha256', `{{#documentPath}}${isAtPath}{{/documentPath}}{{^documentPath}}o.sha256 = :documentSha256::text{{/documentPath}}`, entry('document', 'taskId,path,sha256')),
    meaning: 'The SHA-256 of a document of the task; with `documentPath`, of the document at this path',
  },
  completedAfter: {
    ...ofText, input: shownMoment, sql: field('completedAt', 'workgate.iso(t.completed_at)'), isMet: isNotBefore,
    meaning: 'A time, or a date; met if the task was completed then or later',
  },
  changedBy: {
    ...ofText, input: text(200, 'nightly job'), isMet: isThere, sql: written(':changedBy::text', part('writer')),
    meaning: 'The name or the id of an API key, a role, or another value of the `actor` in the history of the task; not what the writer only claims',
  },
  claimedBy: {
    ...ofText, input: text(200, 'evening shift'), isMet: isThere, sql: written(':claimedBy::text', part('claimant')),
    meaning: 'A name, id or role that the writer claims to have, without any proof: a value of `actor.claimed.actor`',
  },
  changedAfter: {
    ...ofText, input: shownMoment, isMet: isNotBefore, sql: written('workgate.iso(e.at)', `{{#changedBy}}${part('writer')}{{/changedBy}}`),
    meaning: 'A time, or a date; met if the task was changed then or later, with `changedBy` by this writer',
  },
  minVersion: {
    ...ofText, type: 'bigint', input: integerUpTo(999_999_999_999_999), isMet: isAtLeast,
    sql: ofTask('t.version', 'e.version = :minVersion::bigint'),
    meaning: 'The lowest accepted version',
  },
  deleted: {
    ...ofText, type: 'boolean', input: theTrue, isMet: isTrue, sql: part('deletion'),
    meaning: '`true`: the task was deleted. A deleted task meets no other expectation',
  },
  digest: {
    ...ofText, input: digest, sql: null, dependsOn: 'everything',
    meaning: 'The `digest` of the work packet',
  },
}
