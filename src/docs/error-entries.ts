// Documents every error code for the guide; a code without an entry does not compile. In the texts `…` is code and
// [text](/docs/…) a link.

import type { Code } from '../api/problems/problem.ts'

export interface Entry {
  cause: string
  /** An example of `detail`. */
  detail: string
  remedy: string
}

export const entries: Record<Code, Entry> = {
  VALIDATION_FAILED: {
    cause:
      'A parameter, a header or a field of the body is unknown, stands twice or has a value that is not allowed; or a key stands in the URL. `errors` names up to ten of them, each with where it stands (`query`, `path`, `body` or `header`).',
    detail: 'stauts: is unknown; did you mean status?',
    remedy:
      'Show `errors` to whoever wrote the request, and mend it. Nothing was written. A key that was in a URL is known to logs by now: [exchange it](keys.md#rotation).',
  },
  MALFORMED_JSON: {
    cause: 'The body is not JSON, or not UTF-8. Where the parser knows it, `detail` says from which character on.',
    detail: 'The body is not valid JSON.',
    remedy: 'Let a library write the JSON, and send it as UTF-8.',
  },
  INVALID_CURSOR: {
    cause:
      'The cursor was altered, cut off, or given by another list, or by this one with other filters or another sort.',
    detail: 'The cursor does not belong to this list with these filters and this sort. Start again without a cursor.',
    remedy:
      'Send `meta.nextCursor` as it came, with the parameters of the page that it came from (`limit` may change), or [begin at the first page](pagination.md#reading-all-pages).',
  },
  MALFORMED_REQUEST: {
    cause:
      'What came is not HTTP: a broken request line or header, no `Host` or two of them, a body that ended too early. The connection is closed.',
    detail: 'The connection is closed.',
    remedy: 'Look at the client library, or at what stands between it and the service.',
  },
  AMBIGUOUS_CREDENTIALS: {
    cause: '`Authorization` and `X-API-Key` hold different keys, or one of them holds several.',
    detail: 'The Authorization and X-API-Key headers contain different keys. Send only one.',
    remedy: 'Send one key. Often a library or a proxy adds the second one.',
  },
  UNAUTHENTICATED: {
    cause: 'There is no key, or it is malformed, mistyped or unknown. With `WWW-Authenticate: Bearer`.',
    detail: 'The API key is unknown or mistyped.',
    remedy:
      'Check that the whole key arrives, as [Keys](keys.md#sending-the-key) says. Do not try again with the same key: failures are [limited](limits.md#rate-limits).',
  },
  KEY_EXPIRED: {
    cause: 'The time that the key was given is over.',
    detail: 'The API key "old" expired at 2025-01-31T00:00:00.000Z.',
    remedy:
      'Ask the operator for a new key, before `expiresAt` of [`GET /key`](keys.md#inspecting-the-key) the next time.',
  },
  KEY_REVOKED: {
    cause: 'The key was revoked, or it was rotated and its overlap is over.',
    detail: 'The API key "billing" has been revoked.',
    remedy: 'Take the successor that the rotation gave, or ask the operator for a new key.',
  },
  ACCESS_DENIED: {
    cause:
      'The project is not among those of the key. The answer is the same whether it exists or not, and whatever follows in the path.',
    detail: 'The project is outside the scope of the API key.',
    remedy:
      'Look at `projectIds` of [`GET /key`](keys.md#inspecting-the-key), and ask the operator to [add the project](keys.md#scope).',
  },
  OPERATION_DENIED: {
    cause: 'The key reaches the place but was not granted the write, which `detail` names.',
    detail: 'The API key is not granted the operation create_project.',
    remedy: 'Ask the operator for a key with this [operation](keys.md#operations).',
  },
  NOT_FOUND: {
    cause:
      'There is no such path, project or object, or no longer; or the object belongs to another project than the path says. A path with `.`, `..` or a backslash in it is none.',
    detail: 'No such task.',
    remedy:
      'Look at `detail`: it tells a path that does not exist from an object that does not. Of an object that you have copied it means that [it was deleted](pagination.md#finding-deletions).',
  },
  METHOD_NOT_ALLOWED: {
    cause: 'The path exists and does not take this method. `Allow` and `detail` say what it takes.',
    detail: 'This path supports GET, POST, HEAD, OPTIONS.',
    remedy: 'Take another method. What the API does not write, [SQL](loading-data.md) does.',
  },
  REQUEST_TIMEOUT: {
    cause: 'The request arrived too slowly: more than 10 seconds for its headers, or 15 for its body.',
    detail: 'The body did not arrive in time.',
    remedy: 'Send it again, on a better line or with a smaller body. Nothing was written.',
  },
  TASK_CANCELLED: {
    cause: 'The task is cancelled, and a cancelled task cannot be completed.',
    detail: 'A cancelled task cannot be completed.',
    remedy: 'Leave it as it is. To open it again is a decision for people, or for SQL.',
  },
  PROJECT_ARCHIVED: {
    cause: 'The project is archived: everything in it can be read and nothing written.',
    detail: 'The project is archived and cannot be written to.',
    remedy: 'Leave out projects whose `status` is `archived`: `GET /projects?status=active`.',
  },
  PROJECT_KEY_TAKEN: {
    cause: 'A new project was to have a `key` that another one has, be it one that your API key does not reach.',
    detail: 'Another project has this key. Choose a different one, or omit it to get an unused one.',
    remedy: 'Choose another `key`, or send none.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'A request with the same `Idempotency-Key` is being carried out at this moment.',
    detail: 'A request with this Idempotency-Key is still running. Try again in a moment.',
    remedy: 'Send the same again after a second, with the same `Idempotency-Key`: it gets the answer of the first.',
  },
  PRECONDITION_FAILED: {
    cause: '`If-Match` names a state of the task that is no longer the current one, or another task.',
    detail:
      'The task does not match If-Match: it has changed, or this is not the ETag of a single task. Read the task again.',
    remedy: 'Read the task, decide anew, and send its new `ETag`: see [Safe writes](idempotency.md#if-match).',
  },
  BODY_TOO_LARGE: {
    cause: 'The body has more than 256 KiB. Nothing of it was looked at.',
    detail: 'The body is larger than 262144 bytes.',
    remedy:
      'Send less. Only a `description` may need so much: 100,000 characters take up to four bytes each, and more where they are escaped (`\\u65e5`).',
  },
  URI_TOO_LONG: {
    cause: 'Path and query together have more than 8,192 characters.',
    detail: 'The URL is longer than 8192 characters.',
    remedy: 'Split long lists of ids over several requests, of 100 values each at most.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The body is not sent as `application/json` in UTF-8, or it is compressed.',
    detail: 'Send the body as UTF-8 with "Content-Type: application/json".',
    remedy: 'Set `Content-Type: application/json`, and no `Content-Encoding`.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The `Idempotency-Key` belongs to a request with another path or another body, within the last 24 hours.',
    detail: 'This Idempotency-Key was used for a different request. Use a new one for each new request.',
    remedy:
      'This is a fault of the client: one `Idempotency-Key` belongs to one intention. Make a new one for each, and keep the body with it for a second try.',
  },
  RATE_LIMITED: {
    cause:
      'The key has sent more than its limit, or more than 60 requests with bad credentials came from the address within a minute.',
    detail: 'The API key is limited to 2 requests per minute. Try again in 30 s.',
    remedy:
      'Wait for as many seconds as `Retry-After` says, and slow down: [Limits](limits.md#rate-limits) says what the headers tell ahead of it. Nothing was carried out.',
  },
  HEADERS_TOO_LARGE: {
    cause:
      'Request line and headers together have 16 KiB or more, or there are more than 2,000 headers. The connection is closed.',
    detail: 'The connection is closed.',
    remedy: 'Send fewer or shorter headers; cookies of other services are often to blame.',
  },
  INTERNAL: {
    cause: 'A fault of the service. What it was stands in its log under the `requestId`, and nowhere else.',
    detail: 'The cause is in the log of the service, under this request id.',
    remedy:
      'Try again a few times with growing pauses, writes only with an `Idempotency-Key`. If it stays, tell the operator the `requestId`.',
  },
  UNAVAILABLE: {
    cause:
      'The database is away, read-only, full, busy or too slow, or too many requests wait for a change already. Nothing is ever answered from memory instead.',
    detail: 'The database cannot serve the request now. Try again in a moment.',
    remedy:
      'Wait for as many seconds as `Retry-After` says, and longer each time that it comes again. Writes only with an `Idempotency-Key`: the answer may have been lost after the deed.',
  },
}
