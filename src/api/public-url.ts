// Finds the address under which clients reach the service, which begins links in responses: PUBLIC_URL, or what trusted
// proxies report in X-Forwarded-Proto, -Host and -Prefix. Anybody can send these headers, so each is checked against its
// grammar, ignored otherwise, and never used for a response that is cached for other requests.

import type { Incoming } from './incoming.ts'

/**
 * Returns the address without a slash at its end: https://example.org/workgate, or /workgate if only the path is known,
 * or an empty string.
 */
export type FindPublicUrl = (headers: Incoming['headers']) => string

const hostName = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?$/i
// Segments without percent-encoding, so that the path can be part of any link. An empty one would begin a host name.
const pathPrefix = /^(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)*\/?$/
const maxLength = 255

const isHost = (text: string) => text.length <= maxLength && hostName.test(text) && URL.canParse(`http://${text}`)
const isPrefix = (text: string) => text.length <= maxLength && pathPrefix.test(text)
const isScheme = (text: string) => /^https?$/i.test(text)
const withoutSlash = (path: string) => path.replace(/\/$/, '')

/** Returns the URL in the form of FindPublicUrl, or undefined if it is invalid. */
export function readPublicUrl(text: string): string | undefined {
  const [, scheme = '', host = '', path = ''] = /^([^:]*):\/\/([^/]*)(.*)$/.exec(text) ?? []
  if (!isScheme(scheme) || !isHost(host) || !isPrefix(path)) return undefined
  return `${scheme}://${host}`.toLowerCase() + withoutSlash(path)
}

export function createFindPublicUrl(publicUrl: string, trustProxy: number): FindPublicUrl {
  if (publicUrl !== '' || trustProxy === 0) return () => publicUrl
  return (headers) => {
    const [scheme, host, prefix] = ['proto', 'host', 'prefix'].map((name) =>
      // Each trusted proxy replaces the header, appends to it or passes it on, so its last entries are theirs.
      (headers[`x-forwarded-${name}`] ?? []).join(',').split(',').slice(-trustProxy)[0]!.trim(),
    ) as [string, string, string]
    const origin = isScheme(scheme) && isHost(host) ? `${scheme}://${host}`.toLowerCase() : ''
    return origin + (isPrefix(prefix) ? withoutSlash(prefix) : '')
  }
}
