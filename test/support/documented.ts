// Lists the documented responses of each operation of the API.

import { openApi } from '../../src/docs/openapi.ts'

interface Response {
  content?: Record<string, { schema: object; examples?: object }>
}

export interface Documented {
  id: string
  method: string
  /** With parameters in braces. */
  path: string
  /** The schemas of successful responses, by status. */
  responseSchemas: Record<string, object>
  /** The problem codes, by status. */
  codes: Record<string, string[]>
}

// The document as clients receive it.
const document = JSON.parse(JSON.stringify(openApi())) as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Response> }>>
  components: { schemas: Record<string, object> }
}

export const { schemas } = document.components

export const operations: Documented[] = Object.entries(document.paths)
  .filter(([, item]) => !('servers' in item))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      responseSchemas: ofType(responses, 'application/json', ({ schema }) => schema),
      codes: ofType(responses, 'application/problem+json', ({ examples }) => Object.keys(examples!)),
    })),
  )

function ofType<Found>(
  responses: Record<string, Response>,
  type: string,
  find: (content: { schema: object; examples?: object }) => Found,
): Record<string, Found> {
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, { content }]) =>
      content?.[type] ? [[status, find(content[type])]] : [],
    ),
  )
}
