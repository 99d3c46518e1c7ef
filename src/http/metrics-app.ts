// GET /metrics, at an address of its own that the public does not reach.

import { metricsText, type Metric } from '../metrics/metrics.ts'
import { Problem } from '../problem.ts'
import type { App } from './app.ts'
import { asProblem, problemAnswer } from './problem-answer.ts'

export function createMetricsApp(read: () => Promise<readonly Metric[]>): App {
  return async ({ method, target }) => {
    try {
      if (target !== '/metrics') throw new Problem('NOT_FOUND', 'There is /metrics here, and nothing else.')
      if (method !== 'GET' && method !== 'HEAD') {
        throw new Problem('METHOD_NOT_ALLOWED', 'This path takes GET, HEAD.', { headers: { allow: 'GET, HEAD' } })
      }
      const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }
      return { status: 200, headers, body: metricsText(await read()) }
    } catch (error) {
      return problemAnswer(asProblem(error), crypto.randomUUID())
    }
  }
}
