// Resolves the target of a request: its path, query, project and route. The targets of valid reads are cached.

import type { Key } from './access/key.ts'
import type { ParsedRead, Target } from './endpoint.ts'
import type { Incoming } from './incoming.ts'
import { apiPath, type FindRoute, type RouteMatch } from './router.ts'

export interface ResolvedTarget<Services> extends Target {
  /** True if the path was sent in normalized form. Paths with . or .. or a backslash are not, and match no route. */
  isCanonical: boolean
  /** Undefined if no route matches. */
  match: RouteMatch<Services> | undefined
  /** Set once the target is known to be valid. */
  read?: (key: Key) => ParsedRead<Services>
}

const base = 'http://workgate'
const maxTargets = 1_000
const maxCachedTargetLength = 500

export function createTargets<Services>(findRoute: FindRoute<Services>) {
  const cache = new Map<string, ResolvedTarget<Services>>()

  async function resolve(incoming: Incoming): Promise<ResolvedTarget<Services>> {
    const { path, isCanonical, search } = splitTarget(incoming.target)
    const match = isCanonical && isApiPath(path) ? await findRoute(path) : undefined
    return { path, isCanonical, search, match, params: match?.params ?? {}, projectId: findProjectId(path, match) }
  }

  return {
    resolve: (incoming: Incoming): ResolvedTarget<Services> | Promise<ResolvedTarget<Services>> =>
      (isRead(incoming) && cache.get(incoming.target)) || resolve(incoming),

    /** Call this only for a valid request, so that no key sent in a URL is cached. */
    remember(incoming: Incoming, target: ResolvedTarget<Services>) {
      if (incoming.target.length > maxCachedTargetLength) return
      if (cache.size === maxTargets) cache.clear()
      cache.set(incoming.target, target)
    },
  }
}

const isRead = ({ method }: Incoming) => method === 'GET' || method === 'HEAD'

function splitTarget(rawTarget: string) {
  // A proxy may send an absolute URL; only the part after the host is used.
  const target = rawTarget.replace(/^https?:\/\/[^/?]*/i, '')
  const queryStart = target.indexOf('?')
  const beforeQuery = queryStart < 0 ? target : target.slice(0, queryStart)
  const rawPath = beforeQuery.startsWith('/') ? beforeQuery : '/'
  // Normalized as in browsers, so that scope is checked on the path that the router sees.
  const path = new URL(base + rawPath).pathname
  return { path, isCanonical: path === rawPath, search: queryStart < 0 ? '' : target.slice(queryStart + 1) }
}

/**
 * Returns the :projectId of the route. If no route matches, returns the same segment of the path, so that a key learns
 * nothing about other projects from paths that do not exist.
 */
function findProjectId(path: string, match: RouteMatch<never> | undefined): string | null {
  const segment = match ? match.params['projectId'] : /^\/projects\/([^/]+)/.exec(path.slice(apiPath.length))?.[1]
  return segment?.toLowerCase() ?? null
}

export const isApiPath = (path: string) => path === apiPath || path.startsWith(`${apiPath}/`)
