// Creates the Link header of a page: the URL of the next one (RFC 8288).

/** The part of a request's target that the link repeats. */
interface Target {
  path: string
  /** The query string, still encoded. */
  search: string
}

/**
 * The URL has the parameters of the request and the new cursor. Without a public URL it is relative to the URL that the
 * client requested, so that it is right behind any proxy.
 */
export function linkToNextPage(publicUrl: string, target: Target, cursor: string): string {
  const { path } = target
  const address = publicUrl === '' ? `./${path.slice(path.lastIndexOf('/') + 1)}` : publicUrl + path
  return `<${address}?${parametersOf(target)}cursor=${cursor}>; rel="next"`
}

// The targets of valid reads are cached, so this is computed once for each.
const parameters = new WeakMap<Target, string>()

/** The other parameters of the request, as they were sent, each followed by an ampersand. */
function parametersOf(target: Target): string {
  let kept = parameters.get(target)
  if (kept === undefined) {
    const parts = target.search.split('&').filter((part) => part !== '' && !isCursor(part))
    kept = toUri(parts.map((part) => `${part}&`).join(''))
    parameters.set(target, kept)
  }
  return kept
}

/** The query string is valid, so its names can be decoded. */
function isCursor(part: string): boolean {
  const [name = ''] = part.split('=', 1)
  return (name.includes('%') ? decodeURIComponent(name) : name) === 'cursor'
}

/** Encodes characters that clients may send as they are, but that end a header or are not allowed in a URI. */
const toUri = (text: string) => text.toWellFormed().replace(/[^\w.~!$&'()*+,;=:@/?%-]/gu, encodeURIComponent)
