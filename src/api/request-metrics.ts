// Counts requests and their responses. This runs for every request, so it only looks up counters and increments them.

import { problems, type Code } from './problems/problem.ts'
import { createHistogram, type Histogram } from '../runtime/metrics/histogram.ts'
import { catalogHistogram, catalogMetric } from '../runtime/metrics/catalog.ts'
import type { Key } from './access/key.ts'
import type { Incoming } from './incoming.ts'
import type { Metric } from '../runtime/metrics/metrics.ts'

export type RequestCounts = ReturnType<typeof createRequestCounts>
type CountedRequest = Pick<EndedRequest, 'method' | 'route' | 'status' | 'durationMs' | 'code' | 'key'>

export interface EndedRequest {
  method: string
  headers: Incoming['headers']
  address: string
  requestId: string
  /** Normalized, still percent-encoded. Contains ids in place of names once these are resolved. */
  path: string
  /** The template of the path; undefined if no route matches. */
  route: string | undefined
  key: Key | undefined
  status: number
  durationMs: number
  /** The problem code, if the response is a problem. */
  code: Code | undefined
  cause: unknown
}

interface RouteCounts {
  method: string
  route: string
  statuses: Map<number, number>
  durations: Histogram
}

// A cached response takes well under a millisecond; a long poll may take 30 s.
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A client can send any method; methods not in the list are counted and logged as "other". */
export const methodName = (sent: string) => (methods.includes(sent) ? sent : 'other')

export function createRequestCounts() {
  const byRoute = new Map<string, Map<string, RouteCounts>>()
  // Every code starts at 0, because Prometheus does not count the first value of a series as an increase.
  const byCode = new Map((Object.keys(problems) as Code[]).map((code) => [code, 0]))
  const limited = { key: 0, address: 0 }
  let running = 0

  function countsOf(sentMethod: string, route: string): RouteCounts {
    let routeCounts = byRoute.get(route)
    if (!routeCounts) byRoute.set(route, (routeCounts = new Map()))
    const known = routeCounts.get(sentMethod)
    if (known) return known
    const method = methodName(sentMethod)
    const counts = routeCounts.get(method) ?? { method, route, statuses: new Map(), durations: createHistogram(bounds) }
    routeCounts.set(method, counts)
    return counts
  }

  return {
    begin: () => void running++,

    end({ method, route = 'none', status, durationMs, code, key }: CountedRequest) {
      running--
      const { statuses, durations } = countsOf(method, route)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      durations.observe(durationMs / 1_000)
      if (code === undefined) return
      byCode.set(code, byCode.get(code)! + 1)
      if (code === 'RATE_LIMITED') limited[key ? 'key' : 'address']++
    },

    metrics(): Metric[] {
      const all = [...byRoute.values()].flatMap((routeCounts) => [...routeCounts.values()])
      const requestCounts = all.flatMap(({ method, route, statuses }) =>
        [...statuses].map(([status, count]) => [{ method, route, status }, count] as const),
      )
      // prettier-ignore
      return [
        catalogMetric('workgate_http_requests_total', requestCounts),
        catalogHistogram('workgate_http_request_duration_seconds', (name) =>
          all.flatMap(({ method, route, durations }) => durations.samples(name, { method, route }))),
        catalogMetric('workgate_http_requests_in_flight', running),
        catalogMetric('workgate_problems_total', [...byCode].map(([code, count]) => [{ code }, count] as const)),
        catalogMetric('workgate_rate_limited_total', Object.entries(limited).map(([by, count]) => [{ by }, count] as const)),
      ]
    },
  }
}
