// One line for each request. It names the key by its id and name, and the path without the query; what stands where
// a key may have been put by mistake is left out.

import { DatabaseUnavailable, serverError } from '../db/errors.ts'
import type { Log } from '../log.ts'
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

/** Where an error came from, without its message: those of a database quote data. */
function describeCause(error: unknown) {
  const server = serverError(error)
  if (server) return { name: 'PostgresError', code: server.code, routine: server.routine }
  if (error instanceof DatabaseUnavailable) return { name: error.name, code: error.message }
  if (!(error instanceof Error)) return { name: typeof error }
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return { name: error.name, stack: frames.slice(0, 8).map((line) => line.trim()) }
}
