// workgate serve: the service, until somebody asks it to end.

import type { Target } from '../db/connection.ts'
import type { Database } from '../db/database.ts'
import { query } from '../db/query.ts'
import { createMetricsApp } from '../http/metrics-app.ts'
import { listen } from '../http/server.ts'
import type { Metric } from '../metrics/metrics.ts'
import { serveRequests } from '../serving.ts'
import { version } from '../version.ts'
import { createCrew } from '../workers/crew.ts'
import type { Host } from './host.ts'
import { patiently, prepareSchema, withOwnTarget, withPool } from './with-database.ts'
import anyKeySql from '../../sql/access/any-key.sql'

const findAnyKey = query<{ exists: boolean }>(anyKeySql)

type ReadMetrics = () => Promise<readonly Metric[]>

const metricsConnections = 100

export async function serve(host: Host): Promise<void> {
  const serveOn = host.config.WORKERS === 1 ? serveAlone : serveWithWorkers
  await withOwnTarget(host, (target, failed) => serveOn(host, target, failed))
  host.log.info('stopped')
}

async function serveAlone(host: Host, target: Target, failed: Promise<Error>): Promise<void> {
  const { config, log } = host
  await withPool(config, target, async (db) => {
    const hasKeys = await patiently(host, () => prepare(host, db))
    await serveRequests({ config, db, log }, async (url, { metrics }) => {
      try {
        announce(host, { url, version }, hasKeys)
        await untilStopped(host, failed, async () => metrics())
      } finally {
        log.info('stopping')
      }
    })
  })
}

/** This process serves nothing then: it has the database, the rate limits, the log and the others. */
async function serveWithWorkers(host: Host, target: Target, failed: Promise<Error>): Promise<void> {
  const { config, log, writeLog, stopped } = host
  const hasKeys = await withPool(config, target, (db) => patiently(host, () => prepare(host, db)))
  const crew = createCrew({ config, target, log, writeLog })
  try {
    const url = await Promise.race([crew.start(), stopped.then(() => undefined)])
    if (url !== undefined) announce(host, { url, version, workers: crew.pids() }, hasKeys)
    await untilStopped(host, Promise.race([failed, crew.failed]), crew.metrics)
  } finally {
    log.info('stopping')
    await crew.stop()
  }
}

function announce({ log, program }: Host, listening: Record<string, unknown>, hasKeys: boolean) {
  log.info('listening', listening)
  if (!hasKeys) log.info(`there are no API keys yet; make one: ${program} keys create first --all-projects`)
}

/** Throws what makes it impossible to go on. Metrics are there until then, at an address of their own. */
async function untilStopped({ config, log, stopped }: Host, failed: Promise<Error>, metrics: ReadMetrics) {
  const { METRICS_LISTEN: address } = config
  const options = address && { ...address, maxConnections: metricsConnections, trustProxy: 0 }
  const listening = options && (await listen(createMetricsApp(metrics), options))
  if (listening) log.info('metrics', { url: `${listening.url}/metrics` })
  try {
    const broken = await Promise.race([stopped.then(() => undefined), failed])
    if (broken) throw broken
  } finally {
    await listening?.close(0)
  }
}

/** Whether anybody could use the service. */
async function prepare(host: Host, db: Database): Promise<boolean> {
  await prepareSchema(host, db)
  const [row] = await findAnyKey(db, {})
  return row!.exists || host.config.API_KEYS.size > 0
}
