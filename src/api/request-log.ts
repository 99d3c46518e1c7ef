// Logs one line per request, with the id and name of the key and the path without its query. A path segment that may be
// a key or another secret sent by mistake is redacted.

import { describeCause } from '../db/describe-cause.ts'
import type { Log } from '../runtime/log.ts'
import type { Context } from './context.ts'
import { readTrace } from './trace-parent.ts'

export function logRequest(log: Log, context: Context, status: number, durationMs: number, cause: unknown): void {
  const level = status === 500 ? 'error' : 'info'
  if (!log.writes(level)) return
  const { incoming, requestId, path, route, key } = context
  log[level]('request', {
    requestId,
    method: incoming.method,
    path: path.split('/').map(redactSegment).join('/'),
    ...(route !== undefined && { route }),
    status,
    ms: Math.round(durationMs * 100) / 100,
    address: incoming.address,
    ...readTrace(incoming.headers),
    ...(key && { keyId: key.id, keyName: key.name }),
    ...(cause !== undefined && { cause: describeCause(cause) }),
  })
}

/** Logs only ids and short words, since anything else in a path may be a secret. */
function redactSegment(segment: string): string {
  return /^[\w.-]{0,31}$|^[0-9a-fA-F-]{36}$/.test(segment) && !segment.startsWith('wg_') ? segment : '…'
}
