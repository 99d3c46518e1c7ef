// Starts and stops one process that serves requests.

import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Buckets } from '../api/access/rate-limit.ts'
import { certificateOf, type Config } from '../config/config.ts'
import { type Database, freshnessConnections } from '../db/database.ts'
import type { Certificate } from '../config/certificate.ts'
import { listen } from './http/listen.ts'
import { cannotListen, formatAddress } from './http/reserve-address.ts'
import type { Log } from '../runtime/log.ts'
import { connectionMetrics } from './http/connections.ts'
import { type Metric, formatMetrics } from '../runtime/metrics/metrics.ts'
import { processMetrics, watchEventLoop, openFileLimit } from '../runtime/metrics/process.ts'
import { createService } from '../service.ts'
import { Problem } from '../api/problems/problem.ts'
import type { App } from '../api/app.ts'
import { completeResponse, fieldsOf } from '../api/responses/response.ts'
import { asProblem, problemResponse } from '../api/problems/problem-response.ts'

/** A server of one or several processes. */
export interface RunningServer {
  metrics(): Promise<readonly Metric[]>
  /** Applies to new connections. */
  replaceCertificate(certificate: Certificate): void
  /** Keeps serving, but reports that it is not ready, and closes each connection after its response. */
  drain(): void
  /** Ends long polls, lets running requests finish within the grace period, and accepts no new requests. */
  stop(): Promise<void>
}

/**
 * The heap may grow to twice of what is in use before garbage is collected, instead of to four times as much. After load
 * the process takes 70 MB less, at no measurable cost (npm run bench -- --only embedded).
 */
const heapGrowth = '--heap-growing-percent=100'

/** `buckets` is set if another process holds the rate-limit buckets. */
export async function startServer(
  config: Config,
  db: Database,
  log: Log,
  buckets?: Buckets,
): Promise<RunningServer & { url: string }> {
  const { HOST, PORT } = config
  setFlagsFromString(heapGrowth)
  const service = createService(config, db, log, buckets)
  const listener = await listen(service.app, {
    host: HOST,
    port: PORT,
    maxConnections: await limitConnections(config, log),
    // Behind a proxy, all connections come from its address.
    maxPerAddress: config.TRUST_PROXY > 0 ? Infinity : config.MAX_CONNECTIONS_PER_ADDRESS || Infinity,
    trustProxy: config.TRUST_PROXY,
    hstsMaxAge: config.HSTS_MAX_AGE,
    publicUrl: config.PUBLIC_URL,
    certificate: certificateOf(config),
  }).catch((error: unknown) => {
    throw cannotListen(formatAddress(HOST, PORT), 'PORT', error)
  })
  const eventLoop = watchEventLoop()
  return {
    url: listener.url,
    metrics: async () => [
      ...service.metrics(),
      ...connectionMetrics(listener.connections),
      ...eventLoop.metrics(),
      ...(await processMetrics()),
    ],
    replaceCertificate: listener.replaceCertificate,
    drain() {
      service.drain()
      listener.drain()
    },
    async stop() {
      eventLoop.close()
      const graceOver = sleep(config.SHUTDOWN_GRACE_MS, undefined, { ref: false })
      service.drain()
      service.endWaiting()
      await listener.close(config.SHUTDOWN_GRACE_MS)
      // Pending writes must not delay the shutdown beyond the grace period.
      await Promise.race([service.close(), graceOver])
    },
  }
}

/** Libraries, the log, and files that are open briefly. */
const otherFiles = 100

/** The number of files that a process needs for everything but client connections. */
export const reservedFiles = (config: Pick<Config, 'DATABASE_POOL' | 'DATABASE_REPLICAS'>): number => {
  const { DATABASE_POOL, DATABASE_REPLICAS } = config
  return DATABASE_POOL + freshnessConnections + DATABASE_REPLICAS.length * (DATABASE_POOL + 1) + otherFiles
}

/**
 * The connections that the number of open files allows. Beyond it, the operating system would accept connections, but the
 * service could not, and no idle connection would be closed for a new one.
 */
async function limitConnections(config: Config, log: Log): Promise<number> {
  const { MAX_CONNECTIONS } = config
  const maxFiles = (await openFileLimit()) ?? Infinity
  const possible = Math.max(1, maxFiles - reservedFiles(config))
  if (MAX_CONNECTIONS <= possible) return MAX_CONNECTIONS
  log.warn('the limit of open files lowers MAX_CONNECTIONS', { maxFiles, maxConnections: possible })
  return possible
}

/** Serves GET /metrics on a separate address that is not public. */
export function createMetricsApp(read: () => Promise<readonly Metric[]>): App {
  return async ({ method, target }) => {
    try {
      if (target !== '/metrics') throw new Problem('NOT_FOUND', 'No such path. Only /metrics is served here.')
      if (method !== 'GET' && method !== 'HEAD') {
        throw new Problem('METHOD_NOT_ALLOWED', 'This path supports GET, HEAD.', { headers: { allow: 'GET, HEAD' } })
      }
      const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }
      return { status: 200, fields: fieldsOf(headers), body: formatMetrics(await read()) }
    } catch (error) {
      const requestId = crypto.randomUUID()
      return completeResponse(problemResponse(asProblem(error), requestId), requestId)
    }
  }
}
