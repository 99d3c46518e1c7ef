// Finds the target of a request: its path, query, project and route, and the endpoints of the route.

import { IttyRouter } from 'itty-router'
import type { Endpoint, RequestPath } from './endpoint.ts'
import { notFound, Problem } from './problems/problem.ts'
import type { ApiResponse } from './responses/response.ts'
import type { NamedIds } from './freshness/confirmed-version.ts'
import { projectKeyPattern, taskNumberPattern } from './input/object-names.ts'
import { isUuid } from './input/values.ts'

export const apiPath = '/api/external/v1'

/** The path is relative to apiPath. */
export type Route = readonly [method: 'GET' | 'POST', path: string, endpoint: Endpoint]

export interface RouteMatch {
  /** The template of the path: /projects/:projectId */
  route: string
  params: Readonly<Record<string, string>>
  endpoints: ReadonlyMap<string, Endpoint>
  /** The values of the Allow header. */
  methods: readonly string[]
}

export type FindRoute = (path: string) => Promise<RouteMatch | undefined>

export function createRouter(routes: readonly Route[]): FindRoute {
  const router = IttyRouter({ base: apiPath })
  for (const route of new Set(routes.map(([, path]) => path))) {
    const pathRoutes = routes.filter(([, path]) => path === route)
    const endpoints = new Map(pathRoutes.map(([method, , endpoint]) => [method, endpoint]))
    const methods = [...endpoints.keys(), ...(endpoints.has('GET') ? ['HEAD'] : []), 'OPTIONS']
    router.all(route, ({ params }): RouteMatch => ({ route, params, endpoints, methods }))
  }
  // The router reads only these two properties. Creating a real Request would take longer than the routing.
  return (path) => router.fetch({ method: 'GET', url: `http://workgate${path}` }) as Promise<RouteMatch>
}

const projectPath = '/projects/:projectId'

/** Returns the 404 for a path. If there is such a path below a project, it says so. */
export async function unknownPath(path: string, findRoute: FindRoute): Promise<Problem> {
  const route = (await findRoute(apiPath + projectPath + path.slice(apiPath.length)))?.route
  if (route === undefined || route === projectPath) return notFound('path')
  return new Problem('NOT_FOUND', `No such path. This data belongs to a project: use ${route}.`)
}

export const otherChanges =
  'The API has three writes: create a project, create a task and complete a task. ' +
  'Make other changes by SQL or with "workgate import".'

/** Throws the 405 if the route has no such method. */
export function endpointFor(method: string, match: RouteMatch): Endpoint {
  const endpoint = match.endpoints.get(method === 'HEAD' ? 'GET' : method)
  if (endpoint) return endpoint
  const isRead = method === 'GET' || method === 'HEAD'
  throw isRead ? methodNotAllowed(match.methods) : methodNotAllowed(match.methods, otherChanges)
}

export function methodNotAllowed(methods: readonly string[], advice?: string): Problem {
  const allow = methods.join(', ')
  const detail = [`This path supports ${allow}.`, ...(advice ? [advice] : [])].join(' ')
  return new Problem('METHOD_NOT_ALLOWED', detail, { headers: { allow } })
}

export function methodsResponse(methods: readonly string[]): ApiResponse {
  return { status: 204, headers: { allow: methods.join(', ') }, body: '' }
}

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

/**
 * Describes the names in a path as "/id/key/number", the form in which a freshness check resolves them: the id of the
 * project or its key, and the number of the task, each of which can be empty. With both an id and a key, the task exists
 * only if the project has both. Returns undefined if the path contains no name that could exist.
 */
function namesInPath(project: string, task = ''): string | undefined {
  const [, keyOfTask, number = ''] = taskNumberPattern.exec(task) ?? []
  if (projectKeyPattern.test(project)) {
    const isElsewhere = keyOfTask !== undefined && keyOfTask !== project
    return `//${project}/${isElsewhere ? '' : number}`
  }
  const id = project.toLowerCase()
  return isUuid(id) && number !== '' ? `/${id}/${keyOfTask ?? ''}/${number}` : undefined
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
