// Documents the response headers.

import type { JsonSchema } from './json-schema.ts'

// prettier-ignore
export const headers = {
  'X-Request-Id':          describeHeader('The id of the request: the one that you sent, or a generated one. The log contains it.', 'string', '48a87ce8-eae7-46da-a820-67398cea7b3f'),
  'ETag':                  describeHeader('Identifies the response body in this encoding. Send it as `If-None-Match` in the next read. Send the `ETag` of a task as `If-Match` to complete the task only if it has not changed.', 'string', '"5f1c9a07.3.d41d8cd98f00b204"'),
  'X-Observed-At':         describeHeader('When the database confirmed, for this request, that the data is current.', 'string', '2026-11-21T09:30:00.123Z', { format: 'date-time' }),
  'Cache-Control':         describeHeader('A cached response must be revalidated with its `ETag` before it is reused.', 'string', 'private, no-cache'),
  'RateLimit-Policy':      describeHeader('The rate limit of the key: `q` requests per `w` seconds. Every response to a key that has a limit contains all five rate limit headers.', 'string', '"key";q=6000;w=60'),
  'RateLimit':             describeHeader('The number of requests left (`r`), and the seconds until the full limit is available again (`t`).', 'string', '"key";r=5999;t=1'),
  'X-RateLimit-Limit':     describeHeader('The rate limit of the key, in requests per minute.', 'integer', 6000),
  'X-RateLimit-Remaining': describeHeader('The number of requests left now.', 'integer', 5999),
  'X-RateLimit-Reset':     describeHeader('When the full limit is available again, in Unix seconds.', 'integer', 1795253401),
  'Link':                  describeHeader('Present only if `meta.hasMore` is true: the URL of the next page ([RFC 8288](https://www.rfc-editor.org/rfc/rfc8288)), which can be relative to the URL of the request.', 'string', '<./tasks?limit=50&cursor=WzEsImN1c3RvbWVyIHN1cHBvcnQiXQ>; rel="next"'),
  'Location':              describeHeader('The URL of the created object, or its path if the service does not know its own address.', 'string', '/api/external/v1/projects/019aa732-8fa0-7213-a9b4-43aead97a1af', { format: 'uri-reference' }),
  'Idempotency-Replayed':  describeHeader('Present if this is the stored response to an earlier request with the same `Idempotency-Key`.', 'string', 'true', { const: 'true' }),
  'Retry-After':           describeHeader('The number of seconds to wait before retrying.', 'integer', 1),
  'WWW-Authenticate':      describeHeader('The authentication scheme to use.', 'string', 'Bearer realm="workgate"'),
}

export type HeaderName = keyof typeof headers

// prettier-ignore
export const rateLimitHeaders = ['RateLimit-Policy', 'RateLimit', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

function describeHeader(description: string, type: 'string' | 'integer', example: unknown, extra: JsonSchema = {}) {
  return { description, schema: { type, ...extra }, example }
}

export function headerReferences(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Finds a header by the lower-case name that endpoints declare: location is Location. */
export function findHeader(lowerCase: string): HeaderName {
  return (Object.keys(headers) as HeaderName[]).find((name) => name.toLowerCase() === lowerCase)!
}
