// The target of a request: its path, its query, its project and its route.

import type { Key } from './access/key.ts'
import type { ParsedRead, Target } from './endpoint.ts'
import type { Incoming } from './incoming.ts'
import { apiPath, type FindRoute, type RouteMatch } from './router.ts'

export interface ResolvedTarget<Services> extends Target {
  /** The path came in this very spelling. No route has any other: none with . or .. or a backslash in it. */
  isCanonical: boolean
  /** Undefined where no route has the path. */
  match: RouteMatch<Services> | undefined
  /** Set once the target was found valid. */
  read?: (key: Key) => ParsedRead<Services>
}

const base = 'http://workgate'
const maxTargets = 1_000
const maxCachedLength = 500

export function createTargets<Services>(findRoute: FindRoute<Services>) {
  const cache = new Map<string, ResolvedTarget<Services>>()

  async function resolve(incoming: Incoming): Promise<ResolvedTarget<Services>> {
    const { path, isCanonical, search } = split(incoming.target)
    const match = isCanonical && isApiPath(path) ? await findRoute(path) : undefined
    return { path, isCanonical, search, match, params: match?.params ?? {}, projectId: projectIn(path, match) }
  }

  return {
    resolve: (incoming: Incoming): ResolvedTarget<Services> | Promise<ResolvedTarget<Services>> =>
      (isRead(incoming) && cache.get(incoming.target)) || resolve(incoming),

    /** Call it once the request is known to be valid, so that no key that was sent in a URL is kept. */
    remember(incoming: Incoming, target: ResolvedTarget<Services>) {
      if (incoming.target.length > maxCachedLength) return
      if (cache.size === maxTargets) cache.clear()
      cache.set(incoming.target, target)
    },
  }
}

const isRead = ({ method }: Incoming) => method === 'GET' || method === 'HEAD'

function split(sent: string) {
  // A proxy may send the whole URL; only what follows its host counts.
  const target = sent.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = target.indexOf('?')
  const beforeQuery = mark < 0 ? target : target.slice(0, mark)
  const rawPath = beforeQuery.startsWith('/') ? beforeQuery : '/'
  // Normalised as browsers do, so that scope is decided on the path that the router sees.
  const path = new URL(base + rawPath).pathname
  return { path, isCanonical: path === rawPath, search: mark < 0 ? '' : target.slice(mark + 1) }
}

/**
 * The project that a path is about: what its route has as :projectId. Where no route has the path, what stands in that
 * place, so that a key learns nothing about other projects from paths that do not exist.
 */
function projectIn(path: string, match: RouteMatch<never> | undefined): string | null {
  const segment = match ? match.params['projectId'] : /^\/projects\/([^/]+)/.exec(path.slice(apiPath.length))?.[1]
  return segment?.toLowerCase() ?? null
}

export const isApiPath = (path: string) => path === apiPath || path.startsWith(`${apiPath}/`)
