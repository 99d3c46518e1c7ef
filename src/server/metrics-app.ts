// Serves GET /metrics on a separate address that is not public.

import { formatMetrics, type Metric } from '../runtime/metrics/metrics.ts'
import { Problem } from '../api/problems/problem.ts'
import type { App } from '../api/app.ts'
import { asProblem, problemResponse } from '../api/problems/problem-response.ts'

export function createMetricsApp(read: () => Promise<readonly Metric[]>): App {
  return async ({ method, target }) => {
    try {
      if (target !== '/metrics') throw new Problem('NOT_FOUND', 'No such path. Only /metrics is served here.')
      if (method !== 'GET' && method !== 'HEAD') {
        throw new Problem('METHOD_NOT_ALLOWED', 'This path supports GET, HEAD.', { headers: { allow: 'GET, HEAD' } })
      }
      const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }
      return { status: 200, headers, body: formatMetrics(await read()) }
    } catch (error) {
      return problemResponse(asProblem(error), crypto.randomUUID())
    }
  }
}
