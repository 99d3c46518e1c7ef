// Creates the Link header of a page: the URL of the next one (RFC 8288).

/**
 * The URL has the parameters of the request and the new cursor. Without a public URL it is relative to the URL that the
 * client requested, so that it is right behind any proxy. Returns a function of the public URL.
 */
export function linkToNextPage(
  { path, search }: Record<'path' | 'search', string>,
  cursor: string,
): (publicUrl: string) => string {
  const parts = search.split('&').filter((part) => part !== '' && !isCursor(part))
  // As they were sent.
  const parameters = toUri(parts.map((part) => `${part}&`).join(''))
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (publicUrl) =>
    `<${publicUrl === '' ? `./${name}` : publicUrl + path}?${parameters}cursor=${cursor}>; rel="next"`
}

/** The query string is valid, so its names can be decoded. */
function isCursor(part: string): boolean {
  const [name = ''] = part.split('=', 1)
  return (name.includes('%') ? decodeURIComponent(name) : name) === 'cursor'
}

/** Encodes characters that clients may send as they are, but that end a header or are not allowed in a URI. */
const toUri = (text: string) => text.toWellFormed().replace(/[^\w.~!$&'()*+,;=:@/?%-]/gu, encodeURIComponent)
