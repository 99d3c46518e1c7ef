// Finds the endpoints of a path.

import { IttyRouter } from 'itty-router'
import type { Endpoint } from './endpoint.ts'
import { notFound, Problem } from './problems/problem.ts'
import type { ApiResponse } from './responses/response.ts'

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
