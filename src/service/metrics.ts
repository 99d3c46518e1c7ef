// Exports the counters of the service as metrics.

import type { PoolCounts } from '../db/pool/pool.ts'
import type { Freshness } from '../api/freshness/freshness.ts'
import type { ResponseCache } from '../api/responses/response-cache.ts'
import type { LongPolls } from '../resources/work-packets/long-polls.ts'
import { version } from '../runtime/program.ts'
import { catalogMetric } from '../runtime/metrics/catalog.ts'
import type { Metric } from '../runtime/metrics/metrics.ts'

interface ServiceCounts {
  cache: ResponseCache<unknown>['counts']
  freshness: Freshness['counts']
  longPolls: LongPolls['counts']
  pools: Record<'statements' | 'checks', PoolCounts>
}

export function serviceMetrics({ cache, freshness, longPolls, pools }: ServiceCounts): Metric[] {
  const perPool = (count: keyof PoolCounts) =>
    Object.entries(pools).map(([pool, counts]) => [{ pool }, counts[count]] as const)
  return [
    catalogMetric('workgate_waiters', longPolls.waiting),
    catalogMetric('workgate_waiters_refused_total', longPolls.refused),
    catalogMetric('workgate_database_connections_max', perPool('max')),
    catalogMetric('workgate_database_connections', perPool('open')),
    catalogMetric('workgate_database_connections_in_use', perPool('inUse')),
    catalogMetric('workgate_database_statements_waiting', perPool('waiting')),
    catalogMetric('workgate_database_over_share_total', pools.statements.overShare),
    catalogMetric('workgate_database_displaced_total', pools.statements.displaced),
    catalogMetric('workgate_freshness_checks_total', freshness.checks),
    catalogMetric('workgate_freshness_batches_total', freshness.statements),
    catalogMetric('workgate_cache_hits_total', cache.hits),
    catalogMetric('workgate_cache_shared_total', cache.shared),
    catalogMetric('workgate_cache_misses_total', cache.misses),
    catalogMetric('workgate_cache_evictions_total', cache.evictions),
    catalogMetric('workgate_cache_bytes', cache.bytes),
    catalogMetric('workgate_cache_entries', cache.entries),
    catalogMetric('workgate_build_info', [[{ version }, 1]]),
  ]
}
