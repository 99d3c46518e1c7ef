// Parses W3C Trace Context: the trace of a request, and the span of its client. The service creates no span of its own.

import type { Incoming } from './incoming.ts'

/** Named as in OpenTelemetry's JSON format. */
export interface Trace {
  traceId: string
  spanId: string
}

// Later versions may append fields to those of version 00, after another dash.
const pattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Returns undefined if the header is absent or invalid. */
export function readTrace(headers: Incoming['headers']): Trace | undefined {
  const values = headers['traceparent']
  if (values?.length !== 1) return undefined
  const [, version, traceId, spanId, rest] = pattern.exec(values[0]!) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return version === '00' && rest !== undefined ? undefined : { traceId, spanId }
}
