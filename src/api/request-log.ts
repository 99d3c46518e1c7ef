// Logs one line per request, with the id and name of the key and the path without its query. A part of the request that
// may be a key or another secret sent by mistake is redacted.

import { describeCause } from '../db/errors.ts'
import type { Log } from '../runtime/log.ts'
import type { KeyDetector } from './access/key-detector.ts'
import { createLogLimit } from './log-limit.ts'
import { methodName, type EndedRequest } from './request-metrics.ts'
import { apiPath, type Route } from './router.ts'
import { isUuid } from './input/values.ts'
import { isApiPath } from './target.ts'
import { readTrace } from './trace-parent.ts'

const maxKnownPaths = 1_000
/** Longer than the path of any route. */
const maxLoggedLength = 300

export interface RequestLog {
  write(request: EndedRequest): void
  /** Call it after the last request. */
  close(): void
}

export function createRequestLog<Services>(
  log: Log,
  routes: readonly Route<Services>[],
  isKey: KeyDetector,
  workers: number,
): RequestLog {
  // Those of one level do not displace those of the other.
  const limits = { info: createLogLimit(log, 'info', workers), error: createLogLimit(log, 'error', workers) }
  const parts = [apiPath, ...routes.map(([, path]) => path)].flatMap((path) => path.split('/'))
  const words = new Set(parts.filter((part) => !part.startsWith(':')))

  /** Keeps only the words of routes, and ids in the path of a route. */
  const redactSegment = (segment: string, isRoute: boolean) =>
    words.has(segment) || (isRoute && isUuid(segment) && !isKey(segment)) ? segment : '…'

  // Checking ids costs a few microseconds if there are environment keys. Contains only paths without a redacted part.
  const knownPaths = new Set<string>()

  function redactPath({ path, route }: EndedRequest): string {
    // A public path that matched a route is one of a fixed set.
    const isPublic = route !== undefined && !isApiPath(path)
    if (isPublic || knownPaths.has(path)) return path
    const segments = path.slice(0, maxLoggedLength).split('/')
    const redacted = segments.map((segment) => redactSegment(segment, route !== undefined)).join('/')
    if (redacted === path && route !== undefined) {
      if (knownPaths.size === maxKnownPaths) knownPaths.clear()
      knownPaths.add(path)
    }
    return redacted
  }

  function traceOf({ headers }: EndedRequest) {
    const trace = readTrace(headers)
    return trace && !isKey(trace.traceId) && !isKey(trace.spanId) ? trace : undefined
  }

  return {
    write(request) {
      const { method, address, requestId, route, key, status, durationMs, code, cause } = request
      const level = status === 500 ? 'error' : 'info'
      if (!log.writes(level)) return
      if ((!key || status === 429) && !limits[level].allows(status, code)) return
      log[level]('request', {
        requestId,
        method: methodName(method),
        path: redactPath(request),
        ...(route !== undefined && { route }),
        status,
        ms: Math.round(durationMs * 100) / 100,
        address,
        ...traceOf(request),
        ...(key && { keyId: key.id, keyName: key.name }),
        ...(cause !== undefined && { cause: describeCause(cause) }),
      })
    },
    close() {
      for (const limit of Object.values(limits)) limit.close()
    },
  }
}
