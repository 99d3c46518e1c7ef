// From a path to its endpoints. itty-router matches; what is allowed there is decided here.

import { IttyRouter } from 'itty-router'
import type { Endpoint } from './endpoint.ts'

export const apiPath = '/api/external/v1'

/** Its path is below the API's. */
export type Route = readonly [method: 'GET' | 'POST', path: string, endpoint: Endpoint]

export interface RouteMatch {
  /** The template: /projects/:projectId */
  route: string
  params: Readonly<Record<string, string>>
  endpoints: ReadonlyMap<string, Endpoint>
  /** For the header Allow. */
  methods: readonly string[]
}

export function createRouter(
  routes: readonly Route[],
  base: string,
): (path: string) => Promise<RouteMatch | undefined> {
  const router = IttyRouter({ base })
  for (const route of new Set(routes.map(([, path]) => path))) {
    const here = routes.filter(([, path]) => path === route)
    const endpoints = new Map(here.map(([method, , endpoint]) => [method, endpoint]))
    const methods = [...endpoints.keys(), ...(endpoints.has('GET') ? ['HEAD'] : []), 'OPTIONS']
    router.all(route, ({ params }): RouteMatch => ({ route, params, endpoints, methods }))
  }
  // It reads nothing but these two of a request, and a Request of its own would cost more than the routing.
  return (path) => router.fetch({ method: 'ALL', url: `http://workgate${path}` }) as Promise<RouteMatch | undefined>
}
