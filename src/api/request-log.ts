// Logs one line per request, with its id, the id and name of the key, and the path without its query. A part of the request
// that may be a key or another secret sent by mistake is redacted.

import { randomUUID } from 'node:crypto'
import { describeCause } from '../db/errors.ts'
import type { Log } from '../runtime/log.ts'
import { setNewest } from '../runtime/newest-entries.ts'
import type { KeyDetector } from './access/credentials.ts'
import { methodName, type EndedRequest } from './request-metrics.ts'
import { apiPath, type Route, isApiPath } from './router.ts'
import { isUuid } from './input/values.ts'
import type { Code } from './problems/problem.ts'
import type { Incoming } from './incoming.ts'

const maxKnownPaths = 1_000
/** Longer than the path of any route. */
const maxLoggedLength = 300

export type RequestLog = ReturnType<typeof createRequestLog>

export function createRequestLog(log: Log, routes: readonly Route[], isKey: KeyDetector, workers: number) {
  // Those of one level do not displace those of the other.
  const limits = { info: createLogLimit(log, 'info', workers), error: createLogLimit(log, 'error', workers) }
  const parts = [apiPath, ...routes.map(([, path]) => path)].flatMap((path) => path.split('/'))
  const words = new Set(parts.filter((part) => !part.startsWith(':')))

  /** Keeps only the words of routes, and ids in the path of a route. */
  const redactSegment = (segment: string, isRoute: boolean) =>
    words.has(segment) || (isRoute && isUuid(segment) && !isKey(segment)) ? segment : '…'

  // Checking ids costs a few microseconds if there are environment keys. Contains only paths without a redacted part.
  const knownPaths = new Map<string, true>()

  function redactPath({ path, route }: EndedRequest): string {
    // A public path that matched a route is one of a fixed set.
    const isPublic = route !== undefined && !isApiPath(path)
    if (isPublic || knownPaths.has(path)) return path
    const segments = path.slice(0, maxLoggedLength).split('/')
    const redacted = segments.map((segment) => redactSegment(segment, route !== undefined)).join('/')
    if (redacted === path && route !== undefined) setNewest(knownPaths, path, true, maxKnownPaths)
    return redacted
  }

  function traceOf({ headers }: EndedRequest) {
    const trace = readTrace(headers)
    return trace && !isKey(trace.traceId) && !isKey(trace.spanId) ? trace : undefined
  }

  return {
    write(request: EndedRequest) {
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
    /** Call it after the last request. */
    close() {
      for (const limit of Object.values(limits)) limit.close()
    },
  }
}

const windowMs = 10_000
/** In all workers together. */
const maxLines = 100

/**
 * Limits how many requests without a verified key, or over the rate limit of their key, are logged one by one: anybody can
 * send any number of them, and they would fill the disk. The others are counted, and logged as one line at the end of the
 * window.
 */
function createLogLimit(log: Log, level: 'info' | 'error', workers: number) {
  const maxOwnLines = Math.ceil(maxLines / workers)
  let timer: NodeJS.Timeout | undefined
  let lines = 0
  let count = 0
  let statuses: Record<string, number> = {}
  let codes: Record<string, number> = {}

  function endWindow() {
    clearTimeout(timer)
    timer = undefined
    if (count > 0) log[level]('further refused or public requests', { count, statuses, codes })
    lines = count = 0
    statuses = {}
    codes = {}
  }

  return {
    /** Returns true if the request may be logged by itself. Otherwise, counts it. */
    allows(status: number, code: Code | undefined): boolean {
      timer ??= setTimeout(endWindow, windowMs).unref()
      if (lines < maxOwnLines) {
        lines++
        return true
      }
      count++
      statuses[status] = (statuses[status] ?? 0) + 1
      if (code) codes[code] = (codes[code] ?? 0) + 1
      return false
    },
    /** Logs the counts of the current window. */
    close: endWindow,
  }
}

// Later versions may append fields to those of version 00, after another dash.
const traceParent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/**
 * Parses W3C Trace Context: the trace of a request, and the span of its client. The service creates no span of its own.
 * Returns undefined if the header is absent or invalid. The names are those of OpenTelemetry's JSON format.
 */
function readTrace(headers: Incoming['headers']) {
  const values = headers['traceparent']
  if (values?.length !== 1) return undefined
  const [, version, traceId, spanId, rest] = traceParent.exec(values[0]!) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return version === '00' && rest !== undefined ? undefined : { traceId, spanId }
}

export const requestIdPattern = /^[\w.:-]{1,64}$/

/** Returns the id that the client has sent, or a new one. */
export function chooseRequestId({ headers }: Incoming, isKey: KeyDetector): string {
  const given = headers['x-request-id']
  if (given === undefined) return randomUUID()
  const [id] = given
  const isValid = given.length === 1 && id !== undefined && requestIdPattern.test(id)
  // The request id is logged and sent back, so a key sent in X-Request-Id by mistake must not become the id.
  return isValid && !isKey(id) && !containsCredential(id, headers) ? id : randomUUID()
}

/** Recognizes even a key that is unknown or mistyped. */
function containsCredential(id: string, headers: Incoming['headers']): boolean {
  const contains = (value: string) => {
    // With any scheme, such as Bearer.
    const credential = value.trim().replace(/^\S+ +/, '')
    return credential !== '' && id.includes(credential)
  }
  return headers['authorization']?.some(contains) || headers['x-api-key']?.some(contains) || false
}
