// workgate serve: runs the service until it is asked to stop.

import { setTimeout as sleep } from 'node:timers/promises'
import { certificateOf } from '../config/config.ts'
import { withConnection, type Target } from '../db/pool/connection.ts'
import { describeHosts } from '../db/database-url.ts'
import type { Database } from '../db/database.ts'
import { StartCancelled } from '../db/embedded/folder-in-use.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { createServiceRole } from '../db/schema/migrate.ts'
import { query } from '../db/statements/query.ts'
import { describeError } from './describe-error.ts'
import { describeCertificate, type Certificate } from '../config/certificate.ts'
import { createMetricsApp, startServer, type RunningServer } from '../server/server.ts'
import { listen } from '../server/http/listen.ts'
import { cannotListen, formatAddress, reserveAddresses } from '../server/http/reserve-address.ts'
import { validateCertificate } from '../server/http/tls.ts'
import { version, commit } from '../runtime/program.ts'
import { createWorkerPool } from '../server/workers/worker-pool.ts'
import type { CommandContext } from './command-context.ts'
import { openUrl } from './page-addresses.ts'
import { isDistributed } from './distribute/usable-cluster.ts'
import { findMistake, readIdentity } from './replicas.ts'
import {
  asServiceRole,
  prepareSchema,
  retryUntilAvailable,
  withPool,
  withServicePool,
  withServiceTarget,
} from './with-database.ts'
import anyKeySql from '../../sql/keys/any-key.sql'
import type { LogStyle } from '../runtime/log.ts'
import { createPaint } from '../runtime/text-lines.ts'

const findAnyKey = query<{ exists: boolean }>(anyKeySql)

const maxMetricsConnections = 100

export async function serve(context: CommandContext): Promise<void> {
  const certificate = certificateOf(context.config)
  if (certificate) validateCertificate(certificate)
  const { HOST, PORT, METRICS_LISTEN, WORKERS } = context.config
  const release = await reserveAddresses([
    { host: HOST, port: PORT, setting: 'PORT' },
    ...(METRICS_LISTEN ? [{ ...METRICS_LISTEN, setting: 'METRICS_LISTEN' }] : []),
  ])
  try {
    await withServiceTarget(context, async (owner, failed) => {
      const isDistributed = await withPool(context.config, owner, (db) => prepareDatabase(context, owner, db))
      // Otherwise the same object, for which it is known which of several hosts responds.
      const target = asServiceRole(isDistributed ? { ...owner, isDistributed } : owner)
      const hasKeys = await withPool(context.config, target, (db) => findKeys(context, db))
      await release()
      await (WORKERS === 1 ? serveInOneProcess : serveWithWorkers)(context, target, failed, hasKeys)
    })
  } catch (error) {
    if (!(error instanceof StartCancelled)) throw error
  } finally {
    await release()
  }
  context.log.info('stopped')
}

/** `failed` resolves if the database cannot be kept running. */
async function serveInOneProcess(context: CommandContext, target: Target, failed: Promise<Error>, hasKeys: boolean) {
  const { config, log } = context
  await withServicePool(config, target, log, async (db) => {
    const server = await startServer(config, db, log)
    await runUntilStopped(context, server, failed, async () => logListening(context, server.url, hasKeys))
  })
}

/** With workers, this process serves no requests: it runs the database, the rate limits, the log and the workers. */
async function serveWithWorkers(context: CommandContext, target: Target, failed: Promise<Error>, hasKeys: boolean) {
  const workerPool = createWorkerPool(context, target)
  await runUntilStopped(context, workerPool, Promise.race([failed, workerPool.failed]), async () => {
    const url = await Promise.race([workerPool.start(), context.stopped.then(() => undefined)])
    if (url !== undefined) logListening(context, url, hasKeys, workerPool.pids())
  })
}

function logListening(context: CommandContext, url: string, hasKeys: boolean, workers?: readonly unknown[]) {
  const { config, log, logStyle, program, writeLog } = context
  const createFirstKey = hasKeys ? undefined : `${program} keys create first --all-projects`
  if (logStyle === 'json') log.info('listening', { url, version, workers })
  else if (log.writes('info')) writeLog(Buffer.from(describeStart(url, config.PUBLIC_URL, createFirstKey, logStyle)))
  const certificate = certificateOf(config)
  if (certificate) logCertificate('certificate loaded', certificate, log)
  const { weak } = config.API_KEYS
  if (weak.length > 0) log.warn('API_KEYS contains keys that are easy to guess', { keyNames: weak })
  if (logStyle === 'json' && createFirstKey) log.info(`no API keys exist yet; create one: ${createFirstKey}`)
}

function logCertificate(event: string, certificate: Certificate, log: CommandContext['log']) {
  const { isValid, ...described } = describeCertificate(certificate)
  log[isValid ? 'info' : 'warn'](isValid ? event : `${event}, but it is not valid now`, described)
}

/**
 * Runs the server until it is stopped or fails. Metrics are served from before it starts until after it has stopped.
 */
async function runUntilStopped(
  context: CommandContext,
  server: RunningServer,
  failed: Promise<Error>,
  start: () => Promise<void>,
) {
  const { config, log, stopped } = context
  const failure = failed.then((error) => {
    throw error
  })
  // Avoids an unhandled rejection if it fails during shutdown.
  failure.catch(() => {})
  let closeMetrics = async () => {}
  try {
    closeMetrics = await serveMetrics(context, server)
    context.onReload(() => reload(context, server))
    await start()
    await Promise.race([stopped, failure]).finally(() => log.info('stopping'))
    server.drain()
    const delay = config.SHUTDOWN_DELAY_MS
    if (delay > 0) await Promise.race([sleep(delay, undefined, { ref: false }), failure])
  } finally {
    await server.stop().finally(closeMetrics)
  }
}

async function serveMetrics({ config, log }: CommandContext, server: RunningServer): Promise<() => Promise<void>> {
  const { METRICS_LISTEN: address } = config
  if (!address) return async () => {}
  const options = {
    ...address,
    maxConnections: maxMetricsConnections,
    maxPerAddress: Infinity,
    trustProxy: 0,
    hstsMaxAge: 0,
    publicUrl: '',
  }
  const listener = await listen(createMetricsApp(server.metrics), options).catch((error: unknown) => {
    throw cannotListen(formatAddress(address.host, address.port), 'METRICS_LISTEN', error)
  })
  log.info('serving metrics', { url: `${listener.url}/metrics` })
  return () => listener.close(0)
}

/** Reloads the certificate for new connections. Open ones keep theirs. */
function reload({ log, readCertificate }: CommandContext, server: RunningServer) {
  try {
    // Not undefined: an empty file is an error.
    const certificate = readCertificate()!
    validateCertificate(certificate)
    const { isValid, validFrom, validUntil } = describeCertificate(certificate)
    if (!isValid) throw new Error(`TLS_CERT is not valid now: it is valid only from ${validFrom} to ${validUntil}`)
    server.replaceCertificate(certificate)
    logCertificate('certificate reloaded', certificate, log)
  } catch (error) {
    log.error('certificate reload failed, keeping the current one', { problem: describeError(error) })
  }
}

/** Migrates the schema if needed, and creates the role that serves requests. Returns whether Citus distributes it. */
function prepareDatabase(context: CommandContext, target: Target, db: Database): Promise<boolean> {
  const { DATABASE_URL, DATABASE_REPLICAS } = context.config
  return retryUntilAvailable(context, async () => {
    // Citus would refuse changes of the schema on a worker.
    const isInCluster = await db.session((session) => isDistributed(session, target))
    await prepareSchema(context, db)
    if (DATABASE_URL === undefined) await db.session(createServiceRole)
    if (isInCluster && DATABASE_REPLICAS.length > 0)
      throw new Error('DATABASE_REPLICAS cannot be combined with a database that Citus distributes')
    await checkReplicas(DATABASE_REPLICAS, db)
    return isInCluster
  })
}

/** Runs as the role that serves requests, so that the start fails if this role cannot connect. */
function findKeys(context: CommandContext, db: Database): Promise<boolean> {
  return retryUntilAvailable(context, async () => {
    const [row] = await findAnyKey(db, {})
    return row!.exists || context.config.API_KEYS.size > 0
  })
}

/** A replica that cannot be reached now is logged and used later; a wrong address would never be used. */
async function checkReplicas(urls: readonly string[], db: Database): Promise<void> {
  if (urls.length === 0) return
  const primary = await db.session(readIdentity)
  const check = async (url: string) => {
    const mistake = await withConnection({ url }, (replica) => findMistake(replica, primary)).catch(
      (error: unknown) => {
        if (!(error instanceof DatabaseUnavailable)) throw error
      },
    )
    if (mistake) throw new Error(`the server ${describeHosts(url)} in DATABASE_REPLICAS ${mistake}`)
  }
  await Promise.all(urls.map(check))
}

/** The public URL is empty if PUBLIC_URL is not set. */
function describeStart(url: string, publicUrl: string, createFirstKey: string | undefined, style: LogStyle): string {
  const paint = createPaint(style === 'colored text')
  const lines = [
    ['Address', url],
    ['Explorer', `${publicUrl || openUrl(url)}/explorer`],
    ['Documentation', `${publicUrl || openUrl(url)}/docs`],
    ...(createFirstKey === undefined ? [] : [['First key', createFirstKey]]),
  ]
  const title = `${paint('bold', `Workgate ${version}`)}${commit === undefined ? '' : paint('dim', ` (commit ${commit})`)}`
  return `\n  ${title}\n\n${lines.map(([name, value]) => `  ${paint('dim', name!.padEnd(14))} ${value}\n`).join('')}\n`
}
