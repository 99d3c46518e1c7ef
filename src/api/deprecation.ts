// Announces the removal of operations and parameters, in the headers Deprecation (RFC 9745) and Sunset (RFC 8594).

import type { Headers } from './responses/response.ts'

export interface Deprecation {
  /** The day of the announcement: YYYY-MM-DD. */
  since: string
  /** The first day on which it may be missing, at least a year later. */
  sunset: string
  /** The page that says what to use instead, relative to /docs/: compatibility#deprecated. */
  guide: string
}

/** The part of an endpoint's documentation that declares what is deprecated. */
export interface Deprecations {
  deprecated?: Deprecation
  /** By the names of query parameters. */
  deprecatedParameters?: Readonly<Record<string, Deprecation>>
}

/** Returns the headers of a response, or undefined if the request uses nothing that is deprecated. */
export function deprecationHeaders(docs: Deprecations, path: string, search: string): Headers | undefined {
  const used = usedDeprecations(docs, search)
  if (used.length === 0) return undefined
  const [first] = used.map(({ sunset }) => sunset).sort()
  const [since] = used.map((deprecation) => deprecation.since).sort()
  // Relative to the request, so that it is right behind a proxy that strips a prefix.
  const docsPath = `${'../'.repeat(path.split('/').length - 2)}docs/`
  const links = [...new Set(used.map(({ guide }) => docsPath + guide))]
  return {
    deprecation: `@${Date.parse(since!) / 1_000}`,
    sunset: new Date(first!).toUTCString(),
    link: links.flatMap((link) => ['deprecation', 'sunset'].map((rel) => `<${link}>; rel="${rel}"`)).join(', '),
  }
}

function usedDeprecations({ deprecated, deprecatedParameters }: Deprecations, search: string): Deprecation[] {
  const used = deprecated ? [deprecated] : []
  if (!deprecatedParameters) return used
  const sent = new URLSearchParams(search)
  const parameters = Object.entries(deprecatedParameters).filter(([name]) => sent.has(name))
  return [...used, ...parameters.map(([, deprecation]) => deprecation)]
}
