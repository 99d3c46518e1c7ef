// Puts the parts of the service together around a database. All state of a running service hangs on what this returns.

import { createAddressLimit, createBuckets, createKeyLimit, type Buckets } from '../api/access/rate-limit.ts'
import { createAuthenticator } from '../api/access/authenticate.ts'
import { createIdentify } from '../api/access/identify.ts'
import { createKeyRecords } from '../api/access/key-records.ts'
import { collectLastUses } from '../api/access/last-uses.ts'
import { routes } from '../routes.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { migrations } from '../db/migrations.ts'
import { compactPeriodically } from '../api/freshness/compaction.ts'
import { createFreshness } from '../api/freshness/freshness.ts'
import { createResponseCache } from '../api/responses/response-cache.ts'
import { createSite } from '../docs/site.ts'
import { createApp, type App } from '../api/app.ts'
import { createCors } from '../api/cors.ts'
import { createHealth } from './health.ts'
import type { Log } from '../runtime/log.ts'
import { serviceMetrics } from './metrics.ts'
import type { Metric } from '../runtime/metrics/metrics.ts'
import { createRequestCounts } from '../api/request-metrics.ts'
import { createWaiting } from '../resources/work-packets/waiting.ts'
import { purgeIdempotencyRecordsPeriodically } from '../api/writes/purge-idempotency-records.ts'

export interface Service {
  app: App
  metrics(): Metric[]
  /** From now on it says that it is not ready. */
  drain(): void
  /** Answers what waits for a change, as the end of the service must not wait for it. */
  endWaiting(): void
  /** Writes what is still in memory. */
  close(): Promise<void>
}

export function createService(config: Config, db: Database, log: Log, buckets: Buckets = createBuckets()): Service {
  const lastUses = collectLastUses(db, log)
  const purging = purgeIdempotencyRecordsPeriodically(db, log)
  const compaction = compactPeriodically(db, log)
  const freshness = createFreshness(db.quick)
  const cache = createResponseCache(config.CACHE_MB * 1_048_576)
  const health = createHealth(db, migrations, () => isEnding)
  const site = createSite()
  const waiting = createWaiting(db, freshness, config.MAX_WAITERS)
  const requests = createRequestCounts()
  let isEnding = false
  const authenticator = createAuthenticator(
    createKeyRecords(db),
    config.API_KEYS,
    createAddressLimit(buckets.addresses),
    lastUses.record,
  )
  const app = createApp({
    routes,
    services: { waiting },
    db,
    cache,
    identify: createIdentify(authenticator, freshness),
    keyLimit: createKeyLimit(config.RATE_LIMIT_PER_MINUTE, buckets.keys),
    cors: createCors(config.CORS_ORIGINS),
    findPublicRoute: async (path) => health.get(path) ?? site(path),
    requests,
    log,
  })
  return {
    app,
    metrics: () => [
      ...requests.metrics(),
      ...serviceMetrics({
        cache: cache.counts,
        freshness: freshness.counts,
        waiters: waiting.count(),
        pools: db.pools,
      }),
    ],
    drain: () => void (isEnding = true),
    endWaiting: waiting.end,
    async close() {
      purging.close()
      compaction.close()
      await lastUses.close()
    },
  }
}
