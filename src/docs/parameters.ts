// Documents the parameters of requests: path, query and headers.

import * as v from 'valibot'
import type { Endpoint } from '../api/endpoint.ts'
import type { QuerySchema } from '../api/input/query-string.ts'
import { momentPattern } from '../api/input/values.ts'
import { idempotencyKeyPattern } from '../api/writes/write.ts'
import type { JsonSchema, Schemas } from './json-schema.ts'

/** An owner of tasks, comments and time entries in the project. */
const owner = '019aa732-8fa0-7597-ac06-64231efda441'

/**
 * Ids that exist in all demo data, whatever its day and size: sql/demo derives them from names. So the examples of the
 * reference can be sent as they are. By the names of parameters. All belong to the project WEB, and most to its task 5, which has a
 * parent.
 */
export const demoIds = {
  projectId: '019aa732-8fa0-7f32-a95b-d7f36985e816',
  taskId: '019aa732-8fa5-7afc-a712-5c382fbf6d65',
  parentId: '019aa732-8fa1-72bc-a183-5abc4a110c09',
  commentId: '019aa732-8fa5-7cba-a032-6434fc7a85cc',
  fileId: '019aa732-8fa5-73a2-a68e-5e08e76cb957',
  timeEntryId: '019aa732-8fa5-749a-ade3-9bedb5de411b',
  documentId: '019aa732-8fa5-7fb1-ad7f-a6f7a8d2ec3f',
  boardId: '019aa732-8fa0-74aa-a9c7-6ed36e682a22',
  stageId: '019aa732-8fa0-793e-ae9e-36d17cc3cee5',
  teamId: '019aa732-8fa0-7321-ab2b-cb575cc7b592',
  userId: owner,
  assigneeId: owner,
  creatorId: owner,
  watcherId: owner,
  authorId: owner,
} as const satisfies Record<string, string>

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: true
  description?: string
  style?: 'form'
  explode?: true
  schema: JsonSchema
  example: unknown
  /** The reference sends the parameter although it is optional. */
  'x-try-it'?: true
}

/** The reference moves both days by the same number, so that the later one is today. */
const earlierDay = '2026-10-26'
const laterDay = '2026-11-21'
const exampleTag = '"5f1c9a07.3.d41d8cd98f00b204"'

// prettier-ignore
export const sharedParameters: Record<string, Parameter> = {
  ProjectId:      namedParameter('projectId', 'The id of the project, or its key, such as `WEB`.'),
  TaskId:         namedParameter('taskId', 'The id of the task, its number, such as `82`, or its reference, such as `WEB-82`.'),
  CommentId:      pathParameter('commentId', 'comment'),
  FileId:         pathParameter('fileId', 'file'),
  TimeEntryId:    pathParameter('timeEntryId', 'time entry'),
  DocumentId:     pathParameter('documentId', 'document'),
  IfNoneMatch:    headerParameter('If-None-Match', 'The `ETag` of an earlier response. If it is still current, the response is 304.', {}, exampleTag),
  IfMatch:        headerParameter('If-Match', 'The `ETag` of a response that contains only this task, from reading, creating or completing it. If the task has changed since, the request fails with 412. `*` matches any version.', {}, exampleTag),
  IdempotencyKey: headerParameter('Idempotency-Key', 'Makes the request [safe to retry](/docs/idempotency). Choose a unique value for each intended write, and send the same value with every retry.', { pattern: idempotencyKeyPattern.source, minLength: 1, maxLength: 255 }, 'order-4711'),
  RequestId:      headerParameter('X-Request-Id', 'Returned with the response and recorded in the log, if it has 1 to 64 of the characters `A-Z`, `a-z`, `0-9` and `_.:-`. Otherwise the service generates one.', {}, 'import-2026-11-21.7'),
}

function pathParameter(name: keyof typeof demoIds, noun: string): Parameter {
  return { ...namedParameter(name, `The id of the ${noun}.`), schema: { type: 'string', format: 'uuid' } }
}

/** For objects that have other names than their id. */
function namedParameter(name: keyof typeof demoIds, description: string): Parameter {
  return { name, in: 'path', required: true, description, schema: { type: 'string' }, example: demoIds[name] }
}

function headerParameter(name: string, description: string, schema: JsonSchema, example: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string', ...schema }, example }
}

export function parametersOf(
  path: string,
  endpoint: Endpoint,
  schemas: Schemas,
): (Parameter | ReturnType<typeof reference>)[] {
  const inPath = [...path.matchAll(/:(\w)(\w+)/g)].map(([, first, rest]) => first!.toUpperCase() + rest!)
  return [...inPath.map(reference), ...queryParameters(endpoint.query, schemas), ...headersOf(endpoint).map(reference)]
}

function headersOf(endpoint: Endpoint): string[] {
  if (endpoint.kind === 'read') return ['IfNoneMatch', 'RequestId']
  const takesTag = endpoint.requestHeaders.includes('if-match')
  return ['IdempotencyKey', ...(takesTag ? ['IfMatch'] : []), 'RequestId']
}

function reference(name: string) {
  if (!(name in sharedParameters)) throw new Error(`add the parameter ${name} to src/docs/parameters.ts`)
  return { $ref: `#/components/parameters/${name}` }
}

/** Without a task and an expectation, a verification fails. */
const sentAlways = new Set(['taskIds', 'minVersion'])

function queryParameters({ entries }: QuerySchema, { convert, named }: Schemas): Parameter[] {
  // Of own fields, descriptions explain the parameters: see own-field-filters.ts.
  const documented = Object.entries(entries).filter(([name]) => name !== 'fields')
  return documented.map(([name, entry]) => {
    const { description, examples, ...converted } = convert(entry, 'present')
    const fallback = v.parse(entry, undefined) as JsonSchema['default'] | null
    const hasDefault = fallback !== undefined && fallback !== null && !Array.isArray(fallback)
    const schema = { ...converted, ...(hasDefault && { default: fallback }) }
    return {
      name,
      in: 'query',
      ...(description !== undefined && { description }),
      // Generators that ignore explode repeat the parameter, too.
      ...(schema.type === 'array' && { style: 'form', explode: true }),
      schema,
      example: examples?.[0] ?? createExample(name, schema, named),
      ...(sentAlways.has(name) && { 'x-try-it': true }),
    }
  })
}

/** Returns undefined for a cursor: only a response contains a valid one. */
function createExample(name: string, schema: JsonSchema, named: Schemas['named']): unknown {
  if (schema.$ref) return createExample(name, named[schema.$ref.split('/').at(-1)!]!, named)
  if (schema.type === 'array') return [createExample(name, schema.items as JsonSchema, named)]
  if (Object.hasOwn(demoIds, name)) return demoIds[name as keyof typeof demoIds]
  const day = /After$|^from$/.test(name) ? earlierDay : laterDay
  if (schema.pattern === momentPattern.source) return `${day}T09:30:00Z`
  if (schema.format === 'date') return day
  if (schema.type === 'boolean') return true
  return schema.examples?.[0] ?? schema.default ?? schema.enum?.[0] ?? schema.minimum
}
