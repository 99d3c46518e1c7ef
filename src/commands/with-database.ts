// Opens the database of a command: the server at DATABASE_URL, or the embedded one.

import type { Config } from '../config/config.ts'
import { openDatabase, type Database } from '../db/database.ts'
import type { Target } from '../db/connection.ts'
import { useEmbedded, startEmbedded, type EmbeddedDatabase } from '../db/embedded/embedded.ts'
import { DatabaseUnavailable, isPoolerError, serverError } from '../db/errors.ts'
import { migrate, MigrationError, pendingMigrations } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import type { CommandContext } from './command-context.ts'

/** Resolves if the embedded database cannot be kept running; never for a server at DATABASE_URL. */
type Failed = Promise<Error>
type Use<T> = (db: Database) => Promise<T>
type UseTarget<T> = (target: Target, failed: Failed) => Promise<T>

/** For commands other than serve: uses the embedded database of the running service, if one is running. */
export const withDatabase = <T>(context: CommandContext, use: Use<T>) =>
  withTarget(context, useEmbedded, (target) => withPool(context.config, target, use))

/** For the service itself, which runs the embedded database. */
export const withServiceTarget = <T>(context: CommandContext, use: UseTarget<T>) =>
  withTarget(context, startEmbedded, use)

async function withTarget<T>(
  context: CommandContext,
  openEmbedded: typeof startEmbedded,
  use: UseTarget<T>,
): Promise<T> {
  const { config } = context
  const { DATABASE_URL: url, DATABASE_POOLER: pooler } = config
  if (url !== undefined) return use({ url, pooler }, new Promise(() => {}))
  const embedded = await openEmbedded({
    dataDir: config.DATA_DIR,
    memoryMb: config.DATABASE_MEMORY_MB,
    postgresBin: config.POSTGRES_BIN,
    packed: context.packedPostgres,
    binaryRoots: context.binaryRoots,
    path: context.path,
    log: context.log,
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

const maxWaitMs = 15_000
const retryDelayMs = 500

/** Runs `work`, and retries it while the database is still starting or is recovering from a crash. */
export async function retryUntilAvailable<T>({ log, stopped }: CommandContext, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + maxWaitMs
  let isStopped = false
  void stopped.then(() => (isStopped = true))
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (isStopped || !isTemporary(error) || Date.now() > deadline) throw error
      log.warn('waiting for the database', { code: (error as Error).message })
      await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, retryDelayMs))])
    }
  }
}

/**
 * Waiting does not help if a password or setting is rejected, a privilege or the database is missing, or
 * DATABASE_POOLER is not set.
 */
function isTemporary(error: unknown): boolean {
  const code = serverError(error)?.code ?? ''
  return error instanceof DatabaseUnavailable && !isPoolerError(error) && !/^(22|28|3D|42)/.test(code)
}

/** Migrates the schema. With AUTO_MIGRATE=0, throws if migrations are pending. */
export async function prepareSchema({ config, log }: CommandContext, db: Database): Promise<void> {
  if (config.AUTO_MIGRATE) return migrate(db, migrations, log)
  const pending = await pendingMigrations(db, migrations)
  if (pending.length === 0) return
  throw new MigrationError(
    `the database has pending migrations (${pending.map(({ name }) => name).join(', ')}), and AUTO_MIGRATE is 0: run "workgate migrate"`,
  )
}
