// One line for each request. It names the key by its id and name, and the path without the query; what stands where
// a key may have been put by mistake is left out.

import { describeCause } from '../db/describe-cause.ts'
import type { Log } from '../runtime/log.ts'
import type { Context } from './context.ts'
import { traceOf } from './trace-parent.ts'

export function logRequest(log: Log, context: Context, status: number, ms: number, cause: unknown): void {
  const level = status === 500 ? 'error' : 'info'
  if (!log.writes(level)) return
  const { incoming, requestId, path, route, key } = context
  log[level]('request', {
    requestId,
    method: incoming.method,
    path: path.split('/').map(harmless).join('/'),
    ...(route !== undefined && { route }),
    status,
    ms: Math.round(ms * 100) / 100,
    address: incoming.address,
    ...traceOf(incoming.headers),
    ...(key && { keyId: key.id, keyName: key.name }),
    ...(cause !== undefined && { cause: describeCause(cause) }),
  })
}

/** Ids and words are logged; anything else in a path is not ours and may be anything. */
function harmless(segment: string): string {
  return /^[\w.-]{0,31}$|^[0-9a-fA-F-]{36}$/.test(segment) && !segment.startsWith('wg_') ? segment : '…'
}
