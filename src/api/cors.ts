// Which pages of other origins may call the API. None, unless CORS_ORIGINS names them.

import type { ApiResponse, Headers } from './responses/response.ts'
import type { Incoming } from './incoming.ts'

const requestHeaders = 'Authorization, X-API-Key, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id'
const answerHeaders =
  'ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Observed-At, X-Request-Id'

export interface Cors {
  /** The answer to a browser's question ahead of a request, which bears no key. */
  preflight(incoming: Incoming): ApiResponse | undefined
  headers(incoming: Incoming): Headers
}

export function createCors(origins: readonly string[]): Cors {
  const all = origins.includes('*')

  function headers({ headers }: Incoming): Headers {
    if (origins.length === 0) return {}
    const origin = headers['origin']?.[0]
    if (origin === undefined || !(all || origins.includes(origin))) return { vary: 'Origin' }
    return {
      vary: 'Origin',
      'access-control-allow-origin': all ? '*' : origin,
      'access-control-expose-headers': answerHeaders,
    }
  }

  function preflight(incoming: Incoming): ApiResponse | undefined {
    const asks = incoming.method === 'OPTIONS' && incoming.headers['access-control-request-method'] !== undefined
    if (!asks || headers(incoming)['access-control-allow-origin'] === undefined) return undefined
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
