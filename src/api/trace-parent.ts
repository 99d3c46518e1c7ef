// W3C Trace Context: the trace that a request belongs to, and the span of whoever sent it. There is no span of ours.

import type { Incoming } from './incoming.ts'

/** Named as OpenTelemetry writes them in JSON. */
export interface Trace {
  traceId: string
  spanId: string
}

// A version to come may say more after what version 00 says, behind another dash.
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Undefined where there is none, and where it is not valid, which is as if there were none. */
export function traceOf(headers: Incoming['headers']): Trace | undefined {
  const given = headers['traceparent']
  if (given?.length !== 1) return undefined
  const [, version, traceId, spanId, more] = form.exec(given[0]!) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return version === '00' && more !== undefined ? undefined : { traceId, spanId }
}
