// Applies pending migrations. Throws if the database's migrations do not match those of this version of Workgate.

import { createHash } from 'node:crypto'
import type { Log } from '../../runtime/log.ts'
import { untracked, type Progress } from '../../runtime/progress.ts'
import type { Database } from '../database.ts'
import type { Runner } from '../pool/pool.ts'
import { begin, type Session } from '../pool/connection.ts'
import { DatabaseUnavailable, isPermissionDenied } from '../errors.ts'
import type { Migration } from './migrations.ts'
import { query } from '../statements/query.ts'
import appliedSql from '../../../sql/migrate/applied-migrations.sql'
import existSql from '../../../sql/migrate/migrations-exist.sql'
import lockSql from '../../../sql/migrate/lock-migrations.sql'
import prepareSql from '../../../sql/migrate/prepare-migrations.sql'
import recordSql from '../../../sql/migrate/record-migration.sql'
import followSchemaSql from '../../../sql/migrate/follow-schema.sql'
import grantsSql from '../../../sql/roles/workgate-api.sql'

const findApplied = query<Applied>(appliedSql)
const findWhetherExist = query<{ exist: boolean }>(existSql)
const lock = query(lockSql)
const record = query(recordSql)
const findWhetherToGrant = query<{ follow: boolean }>(followSchemaSql)

interface Applied {
  name: string
  checksum: string
}

export class MigrationError extends Error {
  override name = 'MigrationError'
}

export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  log: Log,
  progress: Progress = untracked,
): Promise<void> {
  const pending = await db.session((session) => pendingMigrations(session, migrations))
  if (pending.length === 0) return
  await progress('applying migrations', pending.length, async (advance) => {
    // Each migration is one transaction: if one fails, those before it remain applied.
    while (await db.session((session) => migrateOnce(session, migrations, log))) advance()
  })
}

/** Applies the first pending migration in one transaction. Returns false if there is none. */
async function migrateOnce(session: Session, migrations: readonly Migration[], log: Log): Promise<boolean> {
  const before = await pendingMigrations(session, migrations)
  if (before.length === 0) return false
  await session.script(begin)
  await lock(session, {})
  await prepare(session, before)
  const [next, ...more] = await pendingMigrations(session, migrations)
  if (next) {
    try {
      await session.script(next.text)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      throw new MigrationError(`migration ${next.name} failed`, { cause: error })
    }
    await record(session, { name: next.name, checksum: checksum(next) })
    if (more.length === 0 && (await hasGrants(session))) await grant(session)
  }
  await session.script('commit')
  if (next) log.info('migrated', { migration: next.name })
  return next !== undefined
}

async function prepare(session: Session, pending: readonly Migration[]): Promise<void> {
  try {
    await session.script(prepareSql)
  } catch (error) {
    if (!isPermissionDenied(error)) throw error
    const names = pending.map(({ name }) => name).join(', ')
    throw new MigrationError(
      `the database has pending migrations (${names}), and this role is not allowed to apply them: run "workgate migrate" as the owner of schema workgate`,
    )
  }
}

/** True if the service's role has privileges, which then follow the schema, so that it can use new tables immediately. */
export async function hasGrants(session: Session): Promise<boolean> {
  const [row] = await findWhetherToGrant(session, {})
  return row!.follow
}

export const grant = (session: Session): Promise<void> => session.script(grantsSql)

/** Creates the service's role if it is missing, and renews its privileges. */
export async function createServiceRole(session: Session): Promise<void> {
  await session.script(begin)
  // Migrations, which may run in another process, grant the privileges too.
  await lock(session, {})
  await grant(session)
  await session.script('commit')
}

export async function pendingMigrations(db: Runner, migrations: readonly Migration[]): Promise<Migration[]> {
  const [exist] = await findWhetherExist(db, {})
  const applied = exist?.exist ? await findApplied(db, {}) : []
  refuseUnreleased(applied, migrations)
  for (const { name, checksum: recorded } of applied) {
    const known = migrations.find((migration) => migration.name === name)
    if (!known) {
      throw new MigrationError(
        `the database contains migration ${name}, which this version of Workgate does not know: it was migrated by a newer version`,
      )
    }
    if (checksum(known) !== recorded) {
      throw new MigrationError(`migration ${name} was edited after it was applied to this database`)
    }
  }
  const pending = migrations.filter(({ name }) => !applied.some((row) => row.name === name))
  const skipped = pending.find(({ name }) => applied.some((row) => row.name > name))
  if (skipped) throw new MigrationError(`migration ${skipped.name} is not applied, although later ones are`)
  return pending
}

/**
 * Refuses a database of an unreleased version: its first migration differs, or it has unknown migrations before the
 * last one of this version. Later unknown migrations belong to a newer version.
 */
function refuseUnreleased(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const [first] = applied
  const known = migrations.find(({ name }) => name === first?.name)
  const last = migrations.at(-1)!.name
  const isForeign = first && !(known && checksum(known) === first.checksum)
  const hasForeign = applied.some(({ name }) => name < last && !migrations.some((migration) => migration.name === name))
  if (!isForeign && !hasForeign) return
  throw new MigrationError(
    'this database was created by an unreleased version of Workgate and cannot be migrated: dump its data with ' +
      '"pg_dump --data-only --schema=workgate" and restore it into a new database, as described under ' +
      '"Data of an unreleased version" in the guide "Backups and upgrades"',
  )
}

export function checksum({ text }: Migration): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}
