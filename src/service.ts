// Puts the parts of the service together around a database. All state of a running service hangs on what this returns.

import { createAddressLimit, createBuckets, createKeyLimit, type Buckets } from './access/rate-limit.ts'
import { createAuthenticator } from './access/authenticate.ts'
import { createKeyRecords } from './access/key-records.ts'
import { gatherLastUses } from './access/last-uses.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { migrations } from './db/migrations.ts'
import { foldInTime } from './freshness/fold-in-time.ts'
import { createFreshness } from './freshness/freshness.ts'
import { createKeptAnswers } from './freshness/kept-answers.ts'
import { createSite } from './docs/site.ts'
import { createApp, type App } from './http/app.ts'
import { createCors } from './http/cors.ts'
import { createHealth } from './http/health.ts'
import type { Log } from './log.ts'
import { countedMetrics } from './metrics/counted.ts'
import type { Metric } from './metrics/metrics.ts'
import { countRequests } from './metrics/requests.ts'
import { createWaiting } from './work-packets/waiting.ts'
import { forgetAnswersInTime } from './writes/forget-answers.ts'

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
  const lastUses = gatherLastUses(db, log)
  const oldAnswers = forgetAnswersInTime(db, log)
  const folding = foldInTime(db, log)
  const freshness = createFreshness(db.quick)
  const answers = createKeptAnswers(config.CACHE_MB * 1_048_576)
  const health = createHealth(db, migrations, () => isEnding)
  const site = createSite()
  const waiting = createWaiting(db, freshness, config.MAX_WAITERS)
  const requests = countRequests()
  let isEnding = false
  const app = createApp({
    db,
    waiting,
    freshness,
    answers,
    authenticator: createAuthenticator(
      createKeyRecords(db),
      config.API_KEYS,
      createAddressLimit(buckets.addresses),
      lastUses.record,
    ),
    keyLimit: createKeyLimit(config.RATE_LIMIT_PER_MINUTE, buckets.keys),
    cors: createCors(config.CORS_ORIGINS),
    findOpenPath: async (path) => health.get(path) ?? site(path),
    requests,
    log,
  })
  return {
    app,
    metrics: () => [
      ...requests.metrics(),
      ...countedMetrics({
        answers: answers.counts,
        freshness: freshness.counts,
        waiters: waiting.count(),
        pools: db.pools,
      }),
    ],
    drain: () => void (isEnding = true),
    endWaiting: waiting.end,
    async close() {
      oldAnswers.close()
      folding.close()
      await lastUses.close()
    },
  }
}
