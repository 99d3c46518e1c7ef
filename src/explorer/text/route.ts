// The view in the address: #/projects/WEB/tasks?state=open.

import { useEffect, useState } from 'preact/hooks'

interface Route {
  /** The parts between slashes, decoded. */
  parts: string[]
  query: URLSearchParams
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return { parts: path.split('/').filter(Boolean).map(decodePart), query: new URLSearchParams(query) }
}

/** An address that somebody has typed may not be valid. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

type Query = Record<string, string | number | undefined>

/** Undefined values are left out. */
export function withQuery(path: string, query: Query): string {
  const known = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(known.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

export const linkTo = (parts: readonly (string | number)[], query: Query = {}): string =>
  withQuery(`#/${parts.map((part) => encodeURIComponent(part)).join('/')}`, query)

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const change = () => setHash(location.hash)
    addEventListener('hashchange', change)
    return () => removeEventListener('hashchange', change)
  }, [])
  return parseRoute(hash)
}

/** Changes the query of the view that is shown, without a new entry in the history. */
export function changeQuery(change: Query): void {
  const { parts, query } = parseRoute(location.hash)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, String(value))
  }
  const text = String(query)
  location.replace(linkTo(parts) + (text && `?${text}`))
}
