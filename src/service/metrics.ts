// Exports the counters of the service as metrics.

import type { PoolCounts } from '../db/pool.ts'
import type { Freshness } from '../api/freshness/freshness.ts'
import type { ResponseCache } from '../api/responses/response-cache.ts'
import { version } from '../runtime/version.ts'
import { labeledMetric, simpleMetric, type Metric } from '../runtime/metrics/metrics.ts'

interface ServiceCounts {
  cache: ResponseCache['counts']
  freshness: Freshness['counts']
  waiters: number
  pools: Record<'statements' | 'checks', PoolCounts>
}

// prettier-ignore
export function serviceMetrics({ cache, freshness, waiters, pools }: ServiceCounts): Metric[] {
  const perPool = (count: keyof PoolCounts) =>
    Object.entries(pools).map(([pool, counts]) => [{ pool }, counts[count]] as const)
  return [
    simpleMetric('gauge',   'workgate_waiters', 'Long polls that are waiting for a change.', waiters),
    labeledMetric('gauge',     'workgate_database_connections_max', 'Maximum number of database connections.', perPool('max')),
    labeledMetric('gauge',     'workgate_database_connections', 'Open database connections.', perPool('open')),
    labeledMetric('gauge',     'workgate_database_connections_in_use', 'Database connections that are running a statement.', perPool('inUse')),
    labeledMetric('gauge',     'workgate_database_statements_waiting', 'Statements that are waiting for a connection.', perPool('waiting')),
    simpleMetric('counter', 'workgate_freshness_checks_total', 'Freshness checks.', freshness.checks),
    simpleMetric('counter', 'workgate_freshness_batches_total', 'Statements that ran batches of freshness checks.', freshness.statements),
    simpleMetric('counter', 'workgate_cache_hits_total', 'Reads that were served from the response cache.', cache.hits),
    simpleMetric('counter', 'workgate_cache_shared_total', 'Reads that shared the response of a concurrent read.', cache.shared),
    simpleMetric('counter', 'workgate_cache_misses_total', 'Reads that created their own response.', cache.misses),
    simpleMetric('counter', 'workgate_cache_evictions_total', 'Responses that were evicted from the cache.', cache.evictions),
    simpleMetric('gauge',   'workgate_cache_bytes', 'Size of the cached responses in bytes.', cache.bytes),
    simpleMetric('gauge',   'workgate_cache_entries', 'Cached responses.', cache.entries),
    { ...labeledMetric('gauge', 'workgate_build_info', 'The version of Workgate.', [[{ version }, 1]]), mergeBy: 'min' },
  ]
}
