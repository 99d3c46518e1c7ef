// What the document says of the answers to each operation.

import { toJsonSchema } from '@valibot/to-json-schema'
import { problems } from '../../src/problem.ts'
import { routes, type Route } from '../../src/routes.ts'

export interface Documented {
  id: string
  method: string
  /** With parameters in braces. */
  path: string
  /** The schemas of answers that are no problems, by status. */
  answers: Record<string, object>
  /** The codes of problems, by status. */
  codes: Record<string, string[]>
}

const codes: Record<string, string[]> = {}
for (const [code, [status]] of Object.entries(problems)) codes[status] = [...(codes[status] ?? []), code]

export const operations: Documented[] = routes.map(documentedOf)

function documentedOf([method, path, { about, write }]: Route): Documented {
  const schema = toJsonSchema(about.answer, { typeMode: 'output', target: 'draft-2020-12' })
  return {
    id: about.operationId,
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    answers: Object.fromEntries((write ? [200, 201] : [200]).map((status) => [status, schema])),
    codes,
  }
}

const word = { type: 'string', minLength: 1 }

export const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'requestId'],
  properties: {
    type: word,
    title: word,
    status: { type: 'integer' },
    code: { enum: Object.keys(problems) },
    detail: word,
    requestId: { type: 'string', pattern: '^[\\w.:-]{1,64}$' },
    errors: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: {
        type: 'object',
        required: ['in', 'name', 'message'],
        properties: { in: { enum: ['query', 'path', 'body', 'header'] }, name: { type: 'string' }, message: word },
      },
    },
  },
}
