// Opens the database of a command: the server at DATABASE_URL, or the embedded one.

import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { describeHosts } from '../db/database-url.ts'
import { openDatabase, type Database } from '../db/database.ts'
import type { Target } from '../db/pool/connection.ts'
import { useEmbedded, startEmbedded } from '../db/embedded/embedded.ts'
import { hasDatabase } from '../db/embedded/has-database.ts'
import { DatabaseUnavailable, isPoolerError, serverError } from '../db/errors.ts'
import { migrate, MigrationError, pendingMigrations } from '../db/schema/migrate.ts'
import { migrations } from '../db/schema/migrations.ts'
import type { Log } from '../runtime/log.ts'
import type { Progress } from '../runtime/progress.ts'
import type { CommandContext } from './command-context.ts'
import { describeUnreachable } from './describe-error.ts'
import { serviceName } from './page-addresses.ts'

type Use<T> = (db: Database, target: Target) => Promise<T>
/** `failed` resolves if the embedded database cannot be kept running; never for a server at DATABASE_URL. */
type UseTarget<T> = (target: Target, failed: Promise<Error>) => Promise<T>

/** The service needs less time to begin to create a database. */
const maxWaitForServiceMs = 1_000

/**
 * For commands that need existing data. In a wrong folder they would otherwise create a database that no service uses.
 */
export async function withDatabase<T>(context: CommandContext, use: Use<T>): Promise<T> {
  const { DATABASE_URL, DATA_DIR } = context.config
  if (DATABASE_URL === undefined && !(await hasDatabase(DATA_DIR, maxWaitForServiceMs))) {
    throw new Error(
      `there is no database in DATA_DIR ${resolve(DATA_DIR)}: start the service with "workgate serve" to create one, ` +
        'or set DATA_DIR or DATABASE_URL to the database that your service uses',
    )
  }
  return withNewDatabase(context, use)
}

/**
 * Uses the embedded database of the running service, if one is running. Creates the embedded database if it is missing.
 */
export const withNewDatabase = <T>(context: CommandContext, use: Use<T>) =>
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
  if (url !== undefined) return use({ url, pooler }, new Promise(() => {})).catch(nameHosts(url))
  const embedded = await openEmbedded({
    dataDir: config.DATA_DIR,
    memoryMb: config.DATABASE_MEMORY_MB,
    postgresBin: config.POSTGRES_BIN,
    packed: context.packedPostgres,
    binaryRoots: context.binaryRoots,
    path: context.path,
    log: context.log,
    progress: context.progress,
    cancelled: signalOf(context.stopped),
  })
  try {
    const { host, user, database, failed } = embedded
    return await use({ socket: host, user, database }, failed)
  } finally {
    await embedded.stop()
  }
}

function signalOf(stopped: Promise<unknown>): AbortSignal {
  const controller = new AbortController()
  void stopped.then(() => controller.abort())
  return controller.signal
}

/** Never names the user or the password. */
const nameHosts = (url: string) => (error: unknown) => {
  if (!(error instanceof DatabaseUnavailable) || serverError(error)) throw error
  throw new Error(`the database at ${describeHosts(url)} cannot be reached: ${describeUnreachable(error)}`)
}

/** The role that serves requests from the embedded database. Its owner, a superuser, does everything else. */
export const serviceRole = 'workgate_api'

/** Returns how to connect as the role that serves requests. At DATABASE_URL, the operator chooses the role. */
export const asServiceRole = (target: Target): Target =>
  'socket' in target ? { ...target, user: serviceRole } : target

export const withPool = <T>(config: Config, target: Target, use: Use<T>): Promise<T> =>
  useAndClose(openDatabase(poolOptions(config, target)), (db) => use(db, target))

/** For the service itself, which also reads from replicas, or from the nodes of a cluster. */
export const withServicePool = <T>(config: Config, target: Target, log: Log, use: Use<T>): Promise<T> => {
  const replicas = { urls: config.DATABASE_REPLICAS, log }
  return useAndClose(
    openDatabase(
      { ...poolOptions(config, target), applicationName: serviceName(config.PORT) },
      { replicas, ...(target.isDistributed && { citus: { log } }) },
    ),
    (db) => use(db, target),
  )
}

const poolOptions = (config: Config, target: Target) => ({
  target,
  poolSize: config.DATABASE_POOL,
  statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
})

async function useAndClose<T>(db: Database, use: (db: Database) => Promise<T>): Promise<T> {
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}

const maxWaitMs = 15_000
const retryDelayMs = 500

/** Runs `work`, and retries it while the database is still starting or is recovering from a crash. */
export async function retryUntilAvailable<T>(context: CommandContext, work: () => Promise<T>): Promise<T> {
  const { config, log, stopped } = context
  const deadline = Date.now() + maxWaitMs
  let reported: string | undefined
  let isStopped = false
  void stopped.then(() => (isStopped = true))
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (isStopped || !isTemporary(error) || Date.now() > deadline) throw error
      const fields = describeWait(error as DatabaseUnavailable, config.DATABASE_URL)
      if (fields.code !== reported) log.warn('waiting for the database', fields)
      reported = fields.code
      await Promise.race([stopped, sleep(retryDelayMs)])
    }
  }
}

/** PostgreSQL's own messages do not appear in the log. */
function describeWait(error: DatabaseUnavailable, url: string | undefined) {
  return {
    code: error.message,
    ...(url !== undefined && { host: describeHosts(url) }),
    ...(!serverError(error) && { problem: describeUnreachable(error) }),
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
export async function prepareSchema({ config, log, logStyle, progress }: CommandContext, db: Database): Promise<void> {
  if (config.AUTO_MIGRATE)
    return logStyle === 'json' ? migrate(db, migrations, log, progress) : migrateBriefly(db, log, progress)
  await checkSchema(db, 'AUTO_MIGRATE is 0')
}

/** Throws if migrations are pending. */
export async function checkSchema(db: Database, reason: string): Promise<void> {
  const pending = await pendingMigrations(db, migrations)
  if (pending.length === 0) return
  throw new MigrationError(
    `the database has pending migrations (${pending.map(({ name }) => name).join(', ')}), and ${reason}: run "workgate migrate"`,
  )
}

/** At a terminal, one line for all migrations. */
async function migrateBriefly(db: Database, log: Log, progress: Progress): Promise<void> {
  const applied: unknown[] = []
  const collect: Log['info'] = (_, fields) => void applied.push(fields?.['migration'])
  await migrate(db, migrations, { ...log, info: collect }, progress).finally(() => {
    if (applied.length === migrations.length)
      log.info(`created the schema of the database (${applied.length} migrations)`)
    else if (applied.length > 0) log.info(`migrated the database: ${applied.join(', ')}`)
  })
}
