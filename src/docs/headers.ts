// Documents the response headers.

import type { JsonSchema } from './json-schema.ts'

interface Header {
  description: string
  schema: JsonSchema
  example: unknown
}

// prettier-ignore
export const headers = {
  'X-Request-Id':          describeHeader('The id of the request: yours, or a new one. It stands in the log.', 'string', '48a87ce8-eae7-46da-a820-67398cea7b3f'),
  'ETag':                  describeHeader('What is shown, in this encoding. Send it back as `If-None-Match`, or that of a task as `If-Match`.', 'string', '"5f1c9a07.3.d41d8cd98f00b204"'),
  'X-Observed-At':         describeHeader('When the database confirmed, for this very request, that this is what is stored.', 'string', '2026-11-21T09:30:00.123Z', { format: 'date-time' }),
  'Cache-Control':         describeHeader('Whoever keeps an answer has to ask again with its `ETag`.', 'string', 'private, no-cache'),
  'RateLimit-Policy':      describeHeader('What the key may send: `q` requests in `w` seconds. On every answer to a key with a limit, as the four below.', 'string', '"key";q=6000;w=60'),
  'RateLimit':             describeHeader('What is left of it: `r` requests, and in `t` seconds all of them.', 'string', '"key";r=5999;t=1'),
  'X-RateLimit-Limit':     describeHeader('Requests a minute.', 'integer', 6000),
  'X-RateLimit-Remaining': describeHeader('Requests that are left now.', 'integer', 5999),
  'X-RateLimit-Reset':     describeHeader('When all of them will be there again, in Unix seconds.', 'integer', 1795253401),
  'Location':              describeHeader('The path of what was created.', 'string', '/api/external/v1/projects/019aa732-8fa0-7213-a9b4-43aead97a1af', { format: 'uri-reference' }),
  'Idempotency-Replayed':  describeHeader('There where this is the answer to an earlier request with the same `Idempotency-Key`.', 'string', 'true', { const: 'true' }),
  'Retry-After':           describeHeader('In how many seconds to try again.', 'integer', 1),
  'WWW-Authenticate':      describeHeader('How to send a key.', 'string', 'Bearer realm="workgate"'),
} satisfies Record<string, Header>

export type HeaderName = keyof typeof headers

// prettier-ignore
export const rateLimitHeaders = ['RateLimit-Policy', 'RateLimit', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

function describeHeader(
  description: string,
  type: 'string' | 'integer',
  example: unknown,
  extra: JsonSchema = {},
): Header {
  return { description, schema: { type, ...extra }, example }
}

export function headerReferences(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Finds the header that endpoints declare in lower case: location is Location. */
export function findHeader(lowerCase: string): HeaderName {
  return (Object.keys(headers) as HeaderName[]).find((name) => name.toLowerCase() === lowerCase)!
}
