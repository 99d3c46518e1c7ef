// Gives tests access to the OpenAPI document.

import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openApi } from '../../src/docs/openapi.ts'
import type { Code } from '../../src/api/problems/problem.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { routes } from '../../src/routes.ts'

type Schema = Record<string, any>

export interface Operation {
  operationId: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Content> }
  responses: Record<string, { headers: object; content?: Record<string, Content>; links?: Record<string, Link> }>
}

export interface Link {
  operationId: string
  /** Runtime expressions by the name of the parameter. */
  parameters: Record<string, string>
}

interface Content {
  schema: Schema
  example?: unknown
  examples?: object
}

export interface Parameter {
  name: string
  in: string
  style?: string
  explode?: boolean
  description?: string
  schema: Schema
  example: unknown
  required?: true
  'x-try-it'?: true
}

// The document as clients receive it.
export const document = JSON.parse(JSON.stringify(openApi())) as Schema

export function resolve<Found>(ref: string): Found {
  const steps = ref.slice(2).split('/')
  return steps.reduce<any>((found, step) => found?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}

export const follow = <Found extends object>(value: Found): Found =>
  '$ref' in value ? resolve<Found>(value.$ref as string) : value

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)

/** Returns a check that a value matches a schema, which can refer to the components. */
export function checkOf(schema: Schema): (value: unknown) => boolean {
  return ajv.compile({ ...schema, components: document['components'] })
}

export interface Documented {
  /** Such as GET /projects/:projectId. */
  name: string
  path: string
  operation: Operation
  endpoint: Endpoint
  query: Parameter[]
  codes: Code[]
}

export const operations: readonly Documented[] = routes.map(([method, path, endpoint]) => {
  const operation = document['paths'][path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()] as Operation
  const query = operation.parameters!.map(follow).filter((parameter) => parameter.in === 'query')
  return { name: `${method} ${path}`, path, operation, endpoint, query, codes: codesOf(operation) }
})

export function codesOf({ responses }: Operation): Code[] {
  return Object.values(responses).flatMap(
    ({ content }) => Object.keys(content?.['application/problem+json']?.examples ?? {}) as Code[],
  )
}
