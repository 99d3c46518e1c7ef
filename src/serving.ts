// One process that serves requests, from its first connection to its end in good order.

import type { Buckets } from './access/rate-limit.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { listen } from './http/server.ts'
import type { Log } from './log.ts'
import { createService, type Service } from './service.ts'

interface Parts {
  config: Config
  db: Database
  log: Log
  /** Where another process keeps them. */
  buckets?: Buckets
}

/** Serves for as long as `meanwhile` takes. */
export async function serveRequests(
  { config, db, log, buckets }: Parts,
  meanwhile: (url: string, service: Service) => Promise<void>,
): Promise<void> {
  const service = createService(config, db, log, buckets)
  const listening = await listen(service.app, {
    host: config.HOST,
    port: config.PORT,
    maxConnections: config.MAX_CONNECTIONS,
    trustProxy: config.TRUST_PROXY,
  })
  try {
    await meanwhile(listening.url, service)
  } finally {
    service.endWaiting()
    await listening.close(config.SHUTDOWN_GRACE_MS)
    await service.close()
  }
}
