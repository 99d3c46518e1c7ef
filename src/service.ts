// Puts the parts of the service together around a database. All state of a running service hangs on what this returns.

import { createAddressLimit, createBuckets, createKeyLimit, type Buckets } from './access/rate-limit.ts'
import { createAuthenticator } from './access/authenticate.ts'
import { gatherLastUses } from './access/last-uses.ts'
import { foldInTime } from './analytics/fold-in-time.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { migrations } from './db/migrations.ts'
import { createApp, type App } from './http/app.ts'
import { createCors } from './http/cors.ts'
import { createHealth } from './http/health.ts'
import type { Log } from './log.ts'
import { createWaiting } from './work-packets/waiting.ts'
import { forgetAnswersInTime } from './writes/forget-answers.ts'

export interface Service {
  app: App
  /** Answers what waits for a change, as the end of the service must not wait for it. */
  endWaiting(): void
  /** Writes what is still in memory. */
  close(): Promise<void>
}

export function createService(config: Config, db: Database, log: Log, buckets: Buckets = createBuckets()): Service {
  const lastUses = gatherLastUses(db, log)
  const oldAnswers = forgetAnswersInTime(db, log)
  const tallies = foldInTime(db, log)
  const waiting = createWaiting(db, config.MAX_WAITERS)
  const app = createApp({
    db,
    waiting,
    authenticator: createAuthenticator(db, config.API_KEYS, createAddressLimit(buckets.addresses), lastUses.record),
    keyLimit: createKeyLimit(config.RATE_LIMIT_PER_MINUTE, buckets.keys),
    cors: createCors(config.CORS_ORIGINS),
    health: createHealth(db, migrations),
    log,
  })
  return {
    app,
    endWaiting: waiting.end,
    async close() {
      oldAnswers.close()
      tallies.close()
      await lastUses.close()
    },
  }
}
