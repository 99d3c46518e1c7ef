// Every error that a client can see: its code, and the status that goes with it. Anybody may throw one; http/ answers with it.

// prettier-ignore
export const problems = {
  VALIDATION_FAILED:       [400, 'The request has parameters that are not valid'],
  INVALID_CURSOR:          [400, 'The cursor is not one of this list'],
  MALFORMED_REQUEST:       [400, 'The request is not valid HTTP'],
  AMBIGUOUS_CREDENTIALS:   [400, 'The request bears more than one API key'],
  UNAUTHENTICATED:         [401, 'The request needs a valid API key'],
  KEY_EXPIRED:             [401, 'The API key has expired'],
  KEY_REVOKED:             [401, 'The API key has been revoked'],
  ACCESS_DENIED:           [403, 'The project is outside of the scope of the API key'],
  NOT_FOUND:               [404, 'There is nothing here'],
  METHOD_NOT_ALLOWED:      [405, 'The method does not work here'],
  REQUEST_TIMEOUT:         [408, 'The request took too long to arrive'],
  URI_TOO_LONG:            [414, 'The URL is too long'],
  RATE_LIMITED:            [429, 'Too many requests'],
  HEADERS_TOO_LARGE:       [431, 'The headers are too large'],
  INTERNAL:                [500, 'Something went wrong on our side'],
  UNAVAILABLE:             [503, 'The service cannot answer now'],
} satisfies Record<string, [number, string]>

export type Code = keyof typeof problems

export interface Fault {
  in: 'query' | 'path' | 'body' | 'header'
  name: string
  message: string
}

export class Problem extends Error {
  override name = 'Problem'
  readonly status: number
  readonly code: Code
  readonly detail: string
  readonly faults: readonly Fault[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: Code,
    detail: string,
    more: { faults?: readonly Fault[]; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, { cause: more.cause })
    this.status = problems[code][0]
    this.code = code
    this.detail = detail
    this.faults = more.faults ?? []
    this.headers = more.headers ?? {}
  }
}

export function invalid(...faults: Fault[]): Problem {
  return new Problem('VALIDATION_FAILED', faults.map(({ name, message }) => `${name}: ${message}`).join('; '), {
    faults,
  })
}
