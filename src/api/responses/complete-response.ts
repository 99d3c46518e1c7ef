// Adds the headers that all responses have in common.

import type { Headers, SentResponse } from './response.ts'

/** A response with all of its headers. */
export interface CompleteResponse {
  status: number
  /** The names and values of the headers in turn, as Node takes them. */
  fields: readonly string[]
  body: string | Uint8Array
}

/** `common` are headers of responses to other requests, too. Those that are lists are added to the list of the response. */
export function completeResponse(
  { status, headers, fields = fieldsOf(headers), added, body }: SentResponse,
  requestId: string,
  common: readonly (Headers | undefined)[] = [],
): CompleteResponse {
  const all = [...fields, 'x-content-type-options', 'nosniff', 'x-request-id', requestId]
  let vary = headers['vary']
  let link = headers['link']
  for (const more of [added, ...common]) {
    if (!more) continue
    all.push(...fieldsOf(more))
    vary = joined(vary, more['vary'])
    link = joined(link, more['link'])
  }
  if (vary !== undefined) all.push('vary', vary)
  if (link !== undefined) all.push('link', link)
  return { status, fields: all, body }
}

/** The headers that are not lists. */
export function fieldsOf(headers: Headers): string[] {
  const fields: string[] = []
  for (const name in headers) if (name !== 'vary' && name !== 'link') fields.push(name, headers[name]!)
  return fields
}

const joined = (first: string | undefined, second: string | undefined) =>
  first !== undefined && second !== undefined ? `${first}, ${second}` : (first ?? second)
