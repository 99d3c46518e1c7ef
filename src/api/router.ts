// Finds the endpoints of a path.

import { IttyRouter } from 'itty-router'
import type { Endpoint } from './endpoint.ts'
import { Problem } from './problems/problem.ts'
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

/** Throws the 405 if the route has no such method. */
export function endpointFor(method: string, match: RouteMatch): Endpoint {
  const endpoint = match.endpoints.get(method === 'HEAD' ? 'GET' : method)
  if (!endpoint) throw methodNotAllowed(match.methods)
  return endpoint
}

export function methodNotAllowed(methods: readonly string[]): Problem {
  const allow = methods.join(', ')
  return new Problem('METHOD_NOT_ALLOWED', `This path supports ${allow}.`, { headers: { allow } })
}

export function methodsResponse(methods: readonly string[]): ApiResponse {
  return { status: 204, headers: { allow: methods.join(', ') }, body: '' }
}
