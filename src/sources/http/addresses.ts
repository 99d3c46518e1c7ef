// Keeps requests on the origin of a tracker, whatever addresses the tracker sends.

import { TrackerError } from './tracker-error.ts'

/** Accepts a scheme, a host and an optional port; a path, a user name or a password would be ignored, so they are refused. */
export function parseOrigin(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new TrackerError('the address of a tracker consists of https:// or http://, a host, and an optional port')
  return url
}

/**
 * Returns the path and the query of an address that a tracker sends (Location, Link); `from` is the path of the request,
 * for relative addresses.
 */
export function pathOf(origin: URL, address: string, from = '/'): string {
  const base = new URL(from, origin)
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined
  if (url?.origin !== origin.origin)
    throw new TrackerError('the tracker refers to an address with another scheme, host or port')
  return url.pathname + url.search
}

/** Returns the address with rel="next" in a Link header (RFC 8288). */
export function nextLink(link: string): string | undefined {
  for (const [, address, parameters] of link.matchAll(/<([^>]*)>([^<]*)/g))
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters!)) return address
  return undefined
}
