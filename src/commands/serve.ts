// workgate serve: the service, until somebody asks it to end.

import { setTimeout as sleep } from 'node:timers/promises'
import { certificateOf } from '../config/config.ts'
import type { Target } from '../db/connection.ts'
import type { Database } from '../db/database.ts'
import { query } from '../db/query.ts'
import { explain } from './explain.ts'
import { describeCertificate, type Certificate } from '../config/certificate.ts'
import { createMetricsApp } from '../server/metrics-app.ts'
import { listen } from '../server/http/listen.ts'
import { tryCertificate } from '../server/http/tls.ts'
import { startServing, type Serving } from '../server/serving.ts'
import { version } from '../runtime/version.ts'
import { createWorkerPool } from '../server/workers/worker-pool.ts'
import type { Host } from './host.ts'
import { patiently, prepareSchema, withOwnTarget, withPool } from './with-database.ts'
import anyKeySql from '../../sql/keys/any-key.sql'

const findAnyKey = query<{ exists: boolean }>(anyKeySql)

const metricsConnections = 100

export async function serve(host: Host): Promise<void> {
  const certificate = certificateOf(host.config)
  if (certificate) tryCertificate(certificate)
  const serveOn = host.config.WORKERS === 1 ? serveAlone : serveWithWorkers
  await withOwnTarget(host, (target, failed) => serveOn(host, target, failed))
  host.log.info('stopped')
}

async function serveAlone(host: Host, target: Target, failed: Promise<Error>): Promise<void> {
  const { config, log } = host
  await withPool(config, target, async (db) => {
    const hasKeys = await patiently(host, () => prepare(host, db))
    const serving = await startServing({ config, db, log })
    await attend(host, serving, failed, async () => announce(host, { url: serving.url, version }, hasKeys))
  })
}

/** This process serves nothing then: it has the database, the rate limits, the log and the others. */
async function serveWithWorkers(host: Host, target: Target, failed: Promise<Error>): Promise<void> {
  const { config, log, writeLog, stopped } = host
  const hasKeys = await withPool(config, target, (db) => patiently(host, () => prepare(host, db)))
  const workerPool = createWorkerPool({ config, target, log, writeLog })
  await attend(host, workerPool, Promise.race([failed, workerPool.failed]), async () => {
    const url = await Promise.race([workerPool.start(), stopped.then(() => undefined)])
    if (url !== undefined) announce(host, { url, version, workers: workerPool.pids() }, hasKeys)
  })
}

function announce({ config, log, program }: Host, listening: Record<string, unknown>, hasKeys: boolean) {
  log.info('listening', listening)
  const certificate = certificateOf(config)
  if (certificate) tellOf('certificate', certificate, log)
  if (!hasKeys) log.info(`there are no API keys yet; make one: ${program} keys create first --all-projects`)
}

function tellOf(what: string, certificate: Certificate, log: Host['log']) {
  const { isValid, ...described } = describeCertificate(certificate)
  log[isValid ? 'info' : 'warn'](isValid ? what : `${what}, which is not valid now`, described)
}

/** From the start to the end. Throws what makes it impossible to go on. Metrics are there all the time, at an address of their own. */
async function attend(host: Host, serving: Serving, failed: Promise<Error>, begin: () => Promise<void>) {
  const { config, log, stopped } = host
  const broken = failed.then((error) => {
    throw error
  })
  // It may come when nobody asks any more.
  broken.catch(() => {})
  let closeMetrics = async () => {}
  try {
    closeMetrics = await serveMetrics(host, serving)
    host.whenToldToReload(() => reload(host, serving))
    await begin()
    await Promise.race([stopped, broken]).finally(() => log.info('stopping'))
    serving.drain()
    const delay = config.SHUTDOWN_DELAY_MS
    if (delay > 0) await Promise.race([sleep(delay, undefined, { ref: false }), broken])
  } finally {
    await serving.stop().finally(closeMetrics)
  }
}

async function serveMetrics({ config, log }: Host, serving: Serving): Promise<() => Promise<void>> {
  const { METRICS_LISTEN: address } = config
  if (!address) return async () => {}
  const options = { ...address, maxConnections: metricsConnections, trustProxy: 0 }
  const listening = await listen(createMetricsApp(serving.metrics), options).catch((error: unknown) => {
    throw new Error('METRICS_LISTEN cannot be had', { cause: error })
  })
  log.info('metrics', { url: `${listening.url}/metrics` })
  return () => listening.close(0)
}

/** Connections that are open go on with the certificate that they began with. */
function reload({ log, readCertificate }: Host, serving: Serving) {
  try {
    // It is there: a file that is empty is a fault.
    const certificate = readCertificate()!
    tryCertificate(certificate)
    const { isValid, validFrom, validUntil } = describeCertificate(certificate)
    if (!isValid) throw new Error(`TLS_CERT is valid from ${validFrom} to ${validUntil}, not now`)
    serving.renewCertificate(certificate)
    tellOf('new certificate', certificate, log)
  } catch (error) {
    log.error('no new certificate, the one before stays in use', { problem: explain(error) })
  }
}

/** Whether anybody could use the service. */
async function prepare(host: Host, db: Database): Promise<boolean> {
  await prepareSchema(host, db)
  const [row] = await findAnyKey(db, {})
  return row!.exists || host.config.API_KEYS.size > 0
}
