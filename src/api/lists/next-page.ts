// Creates the Link header of a page: the URL of the next one (RFC 8288).

import type { Target } from '../endpoint.ts'

/**
 * The URL has the parameters of the request and the new cursor. Without a public URL it is relative to the URL that the
 * client requested, so that it is right behind any proxy.
 */
export function linkToNextPage(publicUrl: string, { path, search }: Target, cursor: string): string {
  const address = publicUrl === '' ? `./${path.slice(path.lastIndexOf('/') + 1)}` : publicUrl + path
  const kept = search.split('&').filter((part) => part !== '' && !isCursor(part))
  return `<${toUri(`${address}?${[...kept, `cursor=${cursor}`].join('&')}`)}>; rel="next"`
}

/** The query string is valid, so its names can be decoded. */
function isCursor(part: string): boolean {
  const [name = ''] = part.split('=', 1)
  return (name.includes('%') ? decodeURIComponent(name) : name) === 'cursor'
}

/** Encodes characters that clients may send as they are, but that end a header or are not allowed in a URI. */
const toUri = (text: string) => text.toWellFormed().replace(/[^\w.~!$&'()*+,;=:@/?%-]/gu, encodeURIComponent)
