// One process that serves requests, from its first connection to its end in good order.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Buckets } from '../api/access/rate-limit.ts'
import { certificateOf, type Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Certificate } from '../config/certificate.ts'
import { listen } from './http/listen.ts'
import type { Log } from '../runtime/log.ts'
import { connectionMetrics } from './http/connections.ts'
import type { Metric } from '../runtime/metrics/metrics.ts'
import { processMetrics, watchEventLoop } from '../runtime/metrics/process.ts'
import { createService } from '../service/service.ts'

interface Parts {
  config: Config
  db: Database
  log: Log
  /** Where another process keeps them. */
  buckets?: Buckets
}

/** One process or several of them. */
export interface Serving {
  metrics(): Promise<readonly Metric[]>
  /** For new connections. */
  renewCertificate(certificate: Certificate): void
  /** Serves as before, but says that it is not ready, and that connections end. */
  drain(): void
  /** Answers what waits, lets what runs finish within the grace, and takes nothing else. */
  stop(): Promise<void>
}

export async function startServing({ config, db, log, buckets }: Parts): Promise<Serving & { url: string }> {
  const service = createService(config, db, log, buckets)
  const listening = await listen(service.app, {
    host: config.HOST,
    port: config.PORT,
    maxConnections: config.MAX_CONNECTIONS,
    trustProxy: config.TRUST_PROXY,
    certificate: certificateOf(config),
  }).catch((error: unknown) => {
    throw new Error('HOST and PORT cannot be had', { cause: error })
  })
  const eventLoop = watchEventLoop()
  return {
    url: listening.url,
    metrics: async () => [
      ...service.metrics(),
      ...connectionMetrics(listening.connections),
      ...eventLoop.metrics(),
      ...(await processMetrics()),
    ],
    renewCertificate: listening.renew,
    drain() {
      service.drain()
      listening.drain()
    },
    async stop() {
      eventLoop.close()
      const grace = new AbortController()
      const over = sleep(config.SHUTDOWN_GRACE_MS, undefined, { signal: grace.signal })
      service.drain()
      service.endWaiting()
      await listening.close(config.SHUTDOWN_GRACE_MS)
      // What cannot be written in time must not hold up the end.
      await Promise.race([service.close(), over])
      grace.abort()
    },
  }
}
