// Documents every error code, in Markdown; a code without an entry does not compile. The guide to errors is generated from
// these entries (see test/docs/generated.ts).

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
      'A parameter, a header or a field of the body is unknown, duplicated or invalid, the body has more levels or values than the [limits](limits.md#requests) allow, or the URL contains an API key. `errors` lists up to ten of them, each with its location (`query`, `path`, `body` or `header`).',
    detail: 'stauts: is unknown; did you mean status?',
    remedy:
      'Correct the request as `errors` says. Nothing was written. A key in a URL may now be in logs: [rotate it](keys.md#rotation).',
  },
  MALFORMED_JSON: {
    cause: 'The body is not valid JSON, or not UTF-8. If the parser knows the position, `detail` contains it.',
    detail: 'The body is not valid JSON.',
    remedy: 'Serialize the body with a JSON library and send it as UTF-8.',
  },
  INVALID_CURSOR: {
    cause:
      'The cursor was altered or truncated, or it came from another list, or from this list with other filters or another sort.',
    detail: 'The cursor does not belong to this list with these filters and this sort. Start again without a cursor.',
    remedy:
      'Send `meta.nextCursor` unchanged, with the parameters of the page that it came from (only `limit` may change), or [start from the first page](pagination.md#reading-all-pages).',
  },
  MALFORMED_REQUEST: {
    cause:
      'The request is not valid HTTP: a malformed request line or header, no `Host` header or two of them, or a body that ended early. If the header of the API key contains a control character, such as a line break, `detail` names the header. The connection is closed.',
    detail: 'The connection is closed.',
    remedy: 'Check the HTTP client, and any proxy between it and the service.',
  },
  AMBIGUOUS_CREDENTIALS: {
    cause: '`Authorization` and `X-API-Key` contain different keys, or one of them contains several.',
    detail: 'The Authorization and X-API-Key headers contain different keys. Send only one.',
    remedy: 'Send one key. Often a library or a proxy adds the second one.',
  },
  UNAUTHENTICATED: {
    cause:
      'The request has no key, or the key is malformed, mistyped or unknown. The response has the header `WWW-Authenticate: Bearer`.',
    detail: 'The API key is unknown or mistyped.',
    remedy:
      'Check that the whole key is [sent](keys.md#sending-the-key). Do not retry with the same key: failures are [rate limited](limits.md#rate-limits).',
  },
  KEY_EXPIRED: {
    cause: 'The key has expired.',
    detail: 'The API key "old" expired at 2025-01-31T00:00:00.000Z.',
    remedy:
      'Ask the operator for a new key. Ask for the next one before `expiresAt` in [`GET /key`](keys.md#inspecting-the-key).',
  },
  KEY_REVOKED: {
    cause: 'The key was revoked, or it was rotated and the overlap has ended.',
    detail: 'The API key "billing" has been revoked.',
    remedy: 'Use the key that the rotation returned, or ask the operator for a new key.',
  },
  ACCESS_DENIED: {
    cause:
      'The project is not in the scope of the key. The response is the same whether or not the project exists, and for every path below it.',
    detail: 'The project is outside the scope of the API key.',
    remedy:
      'Compare `projectIds` in [`GET /key`](keys.md#inspecting-the-key), and ask the operator to [add the project](keys.md#scope).',
  },
  OPERATION_DENIED: {
    cause:
      'The key was not granted the write that `detail` names. If the path names a project, it is in the scope of the key.',
    detail: 'The API key was not granted the operation create_project.',
    remedy: 'Ask the operator for a key with this [operation](keys.md#operations).',
  },
  NOT_FOUND: {
    cause:
      'The path or the object does not exist, or the object does not belong to the project in the path. A path with `.`, `..` or a backslash never exists.',
    detail: 'No such task.',
    remedy:
      '`detail` says whether the path or the object is unknown. If your copy of the data contains the object, [it was deleted](pagination.md#finding-deletions).',
  },
  METHOD_NOT_ALLOWED: {
    cause: 'The path exists but does not support the method. `Allow` and `detail` list the methods that it supports.',
    detail: 'This path supports GET, POST, HEAD, OPTIONS.',
    remedy: 'Use a supported method. Other writes are possible only by [SQL](loading-data.md#sql).',
  },
  REQUEST_TIMEOUT: {
    cause: 'The request arrived too slowly: its headers took more than 10 seconds, or its body more than 15.',
    detail: 'The body did not arrive in time.',
    remedy: 'Send the request again, over a faster connection or with a smaller body. Nothing was written.',
  },
  TASK_CANCELLED: {
    cause: 'The task is cancelled. A cancelled task cannot be completed.',
    detail: 'A cancelled task cannot be completed.',
    remedy:
      'Do not retry. The API cannot reopen a task. If somebody decides to reopen it, use [SQL](loading-data.md#sql).',
  },
  PROJECT_ARCHIVED: {
    cause: 'The project is archived. It can be read but not written to.',
    detail: 'The project is archived and cannot be changed.',
    remedy: 'Do not retry. To list only projects that can be written to, request `GET /projects?status=active`.',
  },
  PROJECT_KEY_TAKEN: {
    cause: 'Another project has the `key` that you chose for the new one.',
    detail: 'Another project has this key. Choose a different one, or omit it to get an unused one.',
    remedy: 'Choose another `key`, or omit it to get a free one.',
  },
  PROJECT_LIMIT_REACHED: {
    cause:
      'The key is for selected projects and has 1,000 of them, the maximum. Each project that it creates is added to its selection; deleted projects count until the operator selects others.',
    detail: 'The API key already selects 1000 projects, the maximum. The operator can change its selection.',
    remedy:
      'Do not retry. Ask the operator to [select fewer projects](keys.md#creating-keys) for the key, or for a key for all projects.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'A request with the same `Idempotency-Key` is still running.',
    detail: 'A request with this Idempotency-Key is still running. Try again in a moment.',
    remedy:
      'Send the same request again after a second, with the same `Idempotency-Key`. You get the response to the first one.',
  },
  PRECONDITION_FAILED: {
    cause: '`If-Match` contains the ETag of an earlier version of the task, or of another object.',
    detail:
      'The task does not match If-Match: it has changed, or the header is not the ETag of a single task. Read the task again.',
    remedy:
      'Read the task, decide again whether to complete it, and send its new `ETag`. See [If-Match](idempotency.md#if-match).',
  },
  BODY_TOO_LARGE: {
    cause: 'The body is larger than 256 KiB. The service did not process it.',
    detail: 'The body is larger than 262144 bytes.',
    remedy:
      'Send a smaller body. Only a `description` can be this large: 100,000 characters take up to four bytes each, and more if they are escaped (`\\u65e5`).',
  },
  URI_TOO_LONG: {
    cause: 'The path and the query together are longer than 8,192 characters.',
    detail: 'The URL is longer than 8192 characters.',
    remedy: 'Split long lists of ids into several requests with up to 100 values each.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The body is not `application/json` in UTF-8, or it is compressed.',
    detail: 'Send the body as UTF-8 with "Content-Type: application/json".',
    remedy: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The `Idempotency-Key` was used within the last 24 hours for a request with another path or body.',
    detail: 'This Idempotency-Key was used for a different request. Use a new one for each new request.',
    remedy:
      'Fix the client: it must create a new `Idempotency-Key` for each intended write, and store it with the body for retries.',
  },
  RATE_LIMITED: {
    cause:
      'The key has exceeded its rate limit, or the address of the client has sent too many requests with invalid credentials and the key has [not been used before](limits.md#failed-credentials).',
    detail: 'The API key is limited to 2 requests per minute. Try again in 30 s.',
    remedy:
      'Wait for the number of seconds in `Retry-After`, and send fewer requests. The [rate limit headers](limits.md#rate-limits) of each response show how many are left. Nothing was written.',
  },
  HEADERS_TOO_LARGE: {
    cause:
      'The request line and headers together are 16 KiB or larger, or there are more than 100 headers. The connection is closed.',
    detail: 'The connection is closed.',
    remedy: 'Send fewer or shorter headers. Cookies of other services on the same host are a common cause.',
  },
  INTERNAL: {
    cause: 'The service has a defect. Its log contains the cause, with the `requestId`.',
    detail: 'The cause is in the service log, under this request id.',
    remedy:
      'Retry a few times with increasing delays. Retry writes only with an `Idempotency-Key`: the write may have been committed. If the error persists, report the `requestId` to the operator.',
  },
  NOT_IMPLEMENTED: {
    cause: 'The request has a `Transfer-Encoding` other than `chunked`. The connection is closed.',
    detail: 'The connection is closed.',
    remedy: 'Send the body with a `Content-Length`, or with `Transfer-Encoding: chunked`.',
  },
  UNAVAILABLE: {
    cause:
      'The database is unavailable, read-only, full, busy or too slow, too many requests are waiting for a change, or too many bodies are being received. The service never responds from its cache instead.',
    detail: 'The database is temporarily unavailable. Try again in a moment.',
    remedy:
      'Wait for the number of seconds in `Retry-After`, and longer each time. Retry writes only with an `Idempotency-Key`: the write may have been committed.',
  },
}
