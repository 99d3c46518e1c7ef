// Defines every error that a client can get: its code, status and title. Any part of the service may throw a Problem;
// app.ts turns it into the response.

// prettier-ignore
export const problems = {
  VALIDATION_FAILED:       [400, 'The request has invalid parameters'],
  MALFORMED_JSON:          [400, 'The body is not valid JSON'],
  INVALID_CURSOR:          [400, 'The cursor is not valid for this list'],
  MALFORMED_REQUEST:       [400, 'The request is not valid HTTP'],
  AMBIGUOUS_CREDENTIALS:   [400, 'The request contains more than one API key'],
  UNAUTHENTICATED:         [401, 'A valid API key is required'],
  KEY_EXPIRED:             [401, 'The API key has expired'],
  KEY_REVOKED:             [401, 'The API key has been revoked'],
  ACCESS_DENIED:           [403, 'The project is outside the scope of the API key'],
  OPERATION_DENIED:        [403, 'The API key was not granted this operation'],
  NOT_FOUND:               [404, 'Not found'],
  METHOD_NOT_ALLOWED:      [405, 'The path does not support this method'],
  REQUEST_TIMEOUT:         [408, 'The request took too long to arrive'],
  TASK_CANCELLED:          [409, 'The task is cancelled'],
  PROJECT_ARCHIVED:        [409, 'The project is archived'],
  PROJECT_SYNCED:          [409, 'The tasks of the project come from a tracker'],
  PROJECT_KEY_TAKEN:       [409, 'The project key is already taken'],
  EXTERNAL_ID_TAKEN:       [409, 'The external id is already taken'],
  PROJECT_LIMIT_REACHED:   [409, 'The API key can select no more projects'],
  IDEMPOTENCY_IN_PROGRESS: [409, 'A request with this idempotency key is still running'],
  CURSOR_EXPIRED:          [410, 'The cursor has expired'],
  TASK_DELETED:            [410, 'The task was deleted'],
  PRECONDITION_FAILED:     [412, 'The task does not match If-Match'],
  BODY_TOO_LARGE:          [413, 'The body is too large'],
  URI_TOO_LONG:            [414, 'The URL is too long'],
  UNSUPPORTED_MEDIA_TYPE:  [415, 'The type or encoding of the body is not supported'],
  IDEMPOTENCY_KEY_REUSED:  [422, 'The idempotency key was used for a different request'],
  RATE_LIMITED:            [429, 'Too many requests'],
  HEADERS_TOO_LARGE:       [431, 'The headers are too large'],
  INTERNAL:                [500, 'Internal server error'],
  NOT_IMPLEMENTED:         [501, 'The transfer encoding is not supported'],
  UNAVAILABLE:             [503, 'The service is temporarily unavailable'],
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
  /** The path of the object that already exists. */
  readonly existing: string | undefined
  /** The address in another tool. */
  readonly externalUrl: string | undefined
  /** How the object was deleted. */
  readonly deletion: object | undefined
  /** Distinguishes the causes of a code. */
  readonly reason: string | undefined

  constructor(
    code: Code,
    detail: string,
    options: {
      faults?: readonly Fault[]
      headers?: Readonly<Record<string, string>>
      existing?: string
      externalUrl?: string
      deletion?: object
      reason?: string
      cause?: unknown
    } = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause })
    this.status = problems[code][0]
    this.code = code
    this.detail = detail
    this.faults = options.faults ?? []
    this.headers = options.headers ?? {}
    this.existing = options.existing
    this.externalUrl = options.externalUrl
    this.deletion = options.deletion
    this.reason = options.reason
  }
}

export const maxFaults = 10

/** Names come from the request: there may be thousands, and a long one may be a secret sent in the wrong place. */
export function invalid(...faults: Fault[]): Problem {
  const shorten = (name: string) => (name.length > 32 ? name.slice(0, 8) + '…' : name)
  const listed = faults.slice(0, maxFaults).map((fault) => ({ ...fault, name: shorten(fault.name) }))
  return new Problem('VALIDATION_FAILED', listed.map(({ name, message }) => `${name}: ${message}`).join('; '), {
    faults: listed,
  })
}

/** Sending the request again in a moment is likely to succeed. */
export function unavailable(detail: string, cause?: unknown): Problem {
  return new Problem('UNAVAILABLE', detail, { headers: { 'retry-after': '1' }, cause })
}

export function notFound(what: string): Problem {
  return new Problem('NOT_FOUND', `No such ${what}.`)
}

/** Ends a request whose client has disconnected. The response is not sent; its status appears only in the log. */
export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected'
}

export const disconnectedResponse = { status: 499, headers: {}, body: '' }
