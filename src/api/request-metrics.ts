// What was asked and how it was answered. This is on the way of every request, so it looks up and adds, and nothing else.

import { problems, type Code } from './problems/problem.ts'
import { createHistogram, type Histogram } from '../runtime/metrics/histogram.ts'
import { each, single, type Metric } from '../runtime/metrics/metrics.ts'

export interface RequestCounts {
  begin(): void
  end(request: Ended): void
  metrics(): Metric[]
}

interface Ended {
  method: string
  /** The template of the path; undefined where there was none to be found. */
  route: string | undefined
  status: number
  ms: number
  /** What was wrong, if anything. */
  code: Code | undefined
  /** Whether a key had been proven before. */
  hadKey: boolean
}

interface Counts {
  method: string
  route: string
  statuses: Map<number, number>
  durations: Histogram
}

// A warm answer takes well below a millisecond; one that waits for a change may take 30 s.
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Anything can be sent as a method; only these are of interest. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export function countRequests(): RequestCounts {
  const byRoute = new Map<string, Map<string, Counts>>()
  // All from the beginning: Prometheus sees no increase in a series that it has not seen before.
  const byCode = new Map((Object.keys(problems) as Code[]).map((code) => [code, 0]))
  const limited = { key: 0, address: 0 }
  let running = 0

  function countsOf(sent: string, route: string): Counts {
    let ofRoute = byRoute.get(route)
    if (!ofRoute) byRoute.set(route, (ofRoute = new Map()))
    const known = ofRoute.get(sent)
    if (known) return known
    const method = methods.includes(sent) ? sent : 'other'
    const counts = ofRoute.get(method) ?? { method, route, statuses: new Map(), durations: createHistogram(bounds) }
    ofRoute.set(method, counts)
    return counts
  }

  return {
    begin: () => void running++,

    end({ method, route = 'none', status, ms, code, hadKey }) {
      running--
      const { statuses, durations } = countsOf(method, route)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      durations.observe(ms / 1_000)
      if (code === undefined) return
      byCode.set(code, byCode.get(code)! + 1)
      if (code === 'RATE_LIMITED') limited[hadKey ? 'key' : 'address']++
    },

    metrics() {
      const all = [...byRoute.values()].flatMap((ofRoute) => [...ofRoute.values()])
      const answered = all.flatMap(({ method, route, statuses }) =>
        [...statuses].map(([status, count]) => [{ method, route, status }, count] as const),
      )
      const took = 'workgate_http_request_duration_seconds'
      // prettier-ignore
      return [
        each('counter', 'workgate_http_requests_total', 'Requests that were answered.', answered),
        { type: 'histogram', name: took, help: 'From the request to its answer, without the way to the client.',
          samples: all.flatMap(({ method, route, durations }) => durations.samples(took, { method, route })) },
        single('gauge', 'workgate_http_requests_in_flight', 'Requests that are being answered.', running),
        each('counter', 'workgate_problems_total', 'Answers that are errors, by their code.', [...byCode].map(([code, count]) => [{ code }, count] as const)),
        each('counter', 'workgate_rate_limited_total', 'Requests that were one too many, by the limit that they met.', Object.entries(limited).map(([by, count]) => [{ by }, count] as const)),
      ]
    },
  }
}
