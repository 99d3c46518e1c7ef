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
    simpleMetric('gauge',   'workgate_waiters', 'Requests that wait for a change.', waiters),
    labeledMetric('gauge',     'workgate_database_connections_max', 'Connections to the database that there may be.', perPool('max')),
    labeledMetric('gauge',     'workgate_database_connections', 'Connections to the database that there are.', perPool('open')),
    labeledMetric('gauge',     'workgate_database_connections_in_use', 'Those on which a statement runs.', perPool('inUse')),
    labeledMetric('gauge',     'workgate_database_statements_waiting', 'Statements that wait for a connection.', perPool('waiting')),
    simpleMetric('counter', 'workgate_freshness_checks_total', 'Requests for which the database was asked what holds.', freshness.checks),
    simpleMetric('counter', 'workgate_freshness_batches_total', 'Statements in which it was asked.', freshness.statements),
    simpleMetric('counter', 'workgate_cache_hits_total', 'Reads that were answered from memory.', cache.hits),
    simpleMetric('counter', 'workgate_cache_shared_total', 'Reads that were answered with what another one was waiting for.', cache.shared),
    simpleMetric('counter', 'workgate_cache_misses_total', 'Reads that ran a statement of their own.', cache.misses),
    simpleMetric('counter', 'workgate_cache_evictions_total', 'Cached responses that were evicted.', cache.evictions),
    simpleMetric('gauge',   'workgate_cache_bytes', 'Bytes that cached responses take.', cache.bytes),
    simpleMetric('gauge',   'workgate_cache_entries', 'Cached responses.', cache.entries),
    { ...labeledMetric('gauge', 'workgate_build_info', 'The version of Workgate.', [[{ version }, 1]]), mergeBy: 'min' },
  ]
}
