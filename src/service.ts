// Assembles the service around a database. All state of the running service is in the returned object.

import { createBuckets, createKeyLimit, type Buckets, createAttemptLimit } from './api/access/rate-limit.ts'
import { createAuthenticate } from './api/access/authenticate.ts'
import { createKeyDetector } from './api/access/credentials.ts'
import { collectLastUses, createKeyRecords } from './api/access/key-records.ts'
import { compactPeriodically, purgePeriodically } from './api/housekeeping.ts'
import { routes } from './routes.ts'
import type { Config } from './config/config.ts'
import { sourceAt, type Database } from './db/database.ts'
import { migrations } from './db/schema/migrations.ts'
import { createClusterFreshness } from './api/freshness/cluster-freshness.ts'
import { createFreshness } from './api/freshness/freshness.ts'
import type { CachedRead } from './api/stages.ts'
import { createResponseCache } from './api/responses/response-cache.ts'
import { createSite } from './docs/site.ts'
import { createApp } from './api/app.ts'
import { createCors } from './api/cors.ts'
import { createFindPublicUrl } from './api/public-url.ts'
import { createHealth } from './api/health.ts'
import type { Log } from './runtime/log.ts'
import { createRequestLog } from './api/request-log.ts'
import { createRequestCounts } from './api/request-metrics.ts'
import { createWaiting } from './api/waiting.ts'

export function createService(config: Config, db: Database, log: Log, buckets: Buckets = createBuckets()) {
  const lastUses = collectLastUses(db, log)
  const purge = purgePeriodically(db, log, config.CHANGES_KEPT_DAYS)
  const periodic = [...purge.tasks, ...compactPeriodically(db, log)]
  const freshness = db.cluster
    ? createClusterFreshness(db.cluster)
    : createFreshness(db.freshnessChecks, (position) => sourceAt(db, position), {
        withPositions: db.replicas.all.length > 0,
      })
  const cache = createResponseCache<CachedRead>(config.CACHE_MB * 1_048_576)
  const health = createHealth(db, migrations, () => isEnding)
  const site = createSite()
  const waiting = createWaiting(db.servers, freshness.keyVersion, {
    maxWaiters: config.MAX_WAITERS,
    poolSize: config.DATABASE_POOL,
  })
  const requests = createRequestCounts()
  const isKey = createKeyDetector(config.API_KEYS)
  const requestLog = createRequestLog(log, routes, isKey, config.WORKERS)
  let isEnding = false
  const app = createApp({
    routes,
    db,
    cache,
    authenticate: createAuthenticate(
      createKeyRecords(),
      config.API_KEYS,
      createAttemptLimit(buckets.networks),
      freshness,
      lastUses.record,
    ),
    isKey,
    limitKey: createKeyLimit(config.RATE_LIMIT_PER_MINUTE, buckets.keys),
    cors: createCors(config.CORS_ORIGINS),
    findPublicUrl: createFindPublicUrl(config.PUBLIC_URL, config.TRUST_PROXY),
    freshness,
    recordUse: lastUses.record,
    waiting,
    findPublicRoute: async (path) => health.get(path) ?? site(path),
    requests,
    requestLog,
  })
  return {
    app,
    metrics: () => [requests, waiting, db, freshness, cache, purge].flatMap((part) => part.metrics()),
    /** Makes /readyz report that the service is not ready. */
    drain: () => void (isEnding = true),
    /** Ends all waiting, so that it does not delay the shutdown. */
    endWaiting: waiting.end,
    /** Writes what is still to be logged, and the collected last uses of keys, and stops the periodic jobs. */
    async close() {
      requestLog.close()
      for (const task of periodic) task.close()
      await lastUses.close()
    },
  }
}
