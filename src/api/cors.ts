// Responds to preflights and sets CORS headers for the origins in CORS_ORIGINS. By default, pages of other origins
// cannot call the API.

import type { ApiResponse, Headers } from './responses/response.ts'
import type { Incoming } from './incoming.ts'

const requestHeaders = 'Authorization, X-API-Key, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id'
const exposedHeaders =
  'Deprecation, ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Observed-At, X-Request-Id'

export type Cors = ReturnType<typeof createCors>

/** Browsers send preflights without a key. */
export const isPreflight = ({ method, headers }: Incoming) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

export function createCors(origins: readonly string[]) {
  const allowsAll = origins.includes('*')

  function headers({ headers }: Incoming): Headers {
    if (origins.length === 0) return {}
    const origin = headers['origin']?.[0]
    if (origin === undefined || !(allowsAll || origins.includes(origin))) return { vary: 'Origin' }
    return {
      vary: 'Origin',
      'access-control-allow-origin': allowsAll ? '*' : origin,
      'access-control-expose-headers': exposedHeaders,
    }
  }

  /** Returns the response to a preflight from an allowed origin. */
  function preflight(incoming: Incoming): ApiResponse | undefined {
    if (!isPreflight(incoming) || headers(incoming)['access-control-allow-origin'] === undefined) return undefined
    return {
      status: 204,
      headers: {
        'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
        'access-control-allow-headers': requestHeaders,
        'access-control-max-age': '600',
      },
      body: '',
    }
  }

  return { preflight, headers }
}
