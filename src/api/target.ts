// Finds the target of a request: its path, query, project and route.

import type { RequestPath } from './endpoint.ts'
import type { NamedIds } from './freshness/confirmed-version.ts'
import { namesInPath } from './input/object-names.ts'
import { apiPath, type FindRoute, type RouteMatch } from './router.ts'

/** As sent: with names where the client uses them instead of ids. */
export interface Target extends RequestPath {
  /** The query string without the question mark, still encoded. */
  search: string
  /** The names of the project and the task, as namesInPath() returns them. */
  names: string | undefined
  /** True if the path was sent in normalized form. Paths with . or .. or a backslash are not, and match no route. */
  isCanonical: boolean
  /** Undefined if no route matches. */
  match: RouteMatch | undefined
}

const base = 'http://workgate'

export async function resolveTarget(sent: string, findRoute: FindRoute): Promise<Target> {
  const { path, isCanonical, search } = splitTarget(sent)
  const match = isCanonical && isApiPath(path) ? await findRoute(path) : undefined
  const params = match?.params ?? {}
  const project = findProject(path, match)
  const names = project === undefined ? undefined : namesInPath(project, params['taskId'])
  return { path, isCanonical, search, match, params, names, projectId: project?.toLowerCase() ?? null }
}

function splitTarget(sent: string) {
  // A proxy may send an absolute URL; only the part after the host is used.
  const target = sent.replace(/^https?:\/\/[^/?]*/i, '')
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
function findProject(path: string, match: RouteMatch | undefined): string | undefined {
  return match ? match.params['projectId'] : /^\/projects\/([^/]+)/.exec(path.slice(apiPath.length))?.[1]
}

/** Replaces the names in a target by their ids. Names of objects that do not exist remain. */
export function withIds(target: Target, ids: NamedIds | undefined): RequestPath {
  if (!ids) return target
  const { projectId, taskId } = ids
  const params: RequestPath['params'] = { ...target.params, ...(projectId && { projectId }), ...(taskId && { taskId }) }
  const route = target.match?.route.replace(/:(\w+)/g, (_, name: string) => params[name]!)
  const path = route === undefined ? target.path : apiPath + route
  return { path, params, projectId: projectId ?? target.projectId }
}

export const isApiPath = (path: string) => path === apiPath || path.startsWith(`${apiPath}/`)
