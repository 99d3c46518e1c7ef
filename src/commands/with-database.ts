// The database of a command: the server's at DATABASE_URL, or the embedded one.

import type { Config } from '../config/config.ts'
import { openDatabase, type Database } from '../db/database.ts'
import type { Target } from '../db/connection.ts'
import { useEmbedded, startEmbedded, type EmbeddedDatabase } from '../db/embedded/embedded.ts'
import { DatabaseUnavailable, isPoolerError, serverError } from '../db/errors.ts'
import { migrate, MigrationError, pendingMigrations } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import type { Host } from './host.ts'

/** Never comes for a server's database. */
type Failed = Promise<Error>
type Use<T> = (db: Database) => Promise<T>
type UseTarget<T> = (target: Target, failed: Failed) => Promise<T>

/** For commands beside the service: uses the embedded database of a running service where there is one. */
export const withDatabase = <T>(host: Host, use: Use<T>) =>
  withTarget(host, useEmbedded, (target) => withPool(host.config, target, use))

/** For the service itself: the embedded database is its own. */
export const withOwnTarget = <T>(host: Host, use: UseTarget<T>) => withTarget(host, startEmbedded, use)

async function withTarget<T>(host: Host, open: typeof startEmbedded, use: UseTarget<T>): Promise<T> {
  const { config } = host
  const { DATABASE_URL: url, DATABASE_POOLER: pooler } = config
  if (url !== undefined) return use({ url, pooler }, new Promise(() => {}))
  const embedded = await open({
    dataDir: config.DATA_DIR,
    memoryMb: config.DATABASE_MEMORY_MB,
    postgresBin: config.POSTGRES_BIN,
    packed: host.packedPostgres,
    binaryRoots: host.binaryRoots,
    path: host.path,
    log: host.log,
  })
  try {
    return await use(targetOf(embedded), embedded.failed)
  } finally {
    await embedded.stop()
  }
}

const targetOf = ({ host, user, database }: EmbeddedDatabase): Target => ({ socket: host, user, database })

export async function withPool<T>(config: Config, target: Target, use: Use<T>): Promise<T> {
  const db = openDatabase({ target, poolSize: config.DATABASE_POOL, statementTimeoutMs: config.STATEMENT_TIMEOUT_MS })
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}

const patienceMs = 15_000
const pauseMs = 500

/** A database that starts together with us may come up a little later, and one that crashes meanwhile comes back. */
export async function patiently<T>({ log, stopped }: Host, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + patienceMs
  let isStopped = false
  void stopped.then(() => (isStopped = true))
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (isStopped || !mayPass(error) || Date.now() > until) throw error
      log.warn('waiting for the database', { code: (error as Error).message })
      await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, pauseMs))])
    }
  }
}

/** A refused password, right or setting, a database that is not there or a pooler that nobody told of will not change by waiting. */
function mayPass(error: unknown): boolean {
  const code = serverError(error)?.code ?? ''
  return error instanceof DatabaseUnavailable && !isPoolerError(error) && !/^(22|28|3D|42)/.test(code)
}

/** Brings the schema up, or with AUTO_MIGRATE=0 insists that somebody has. */
export async function prepareSchema({ config, log }: Host, db: Database): Promise<void> {
  if (config.AUTO_MIGRATE) return migrate(db, migrations, log)
  const pending = await pendingMigrations(db, migrations)
  if (pending.length === 0) return
  throw new MigrationError(
    `the database lacks ${pending.map(({ name }) => name).join(', ')} and AUTO_MIGRATE is 0: run "workgate migrate"`,
  )
}
