// workgate restore: fills an empty database with a backup, in one transaction.

import type { Database } from '../../db/database.ts'
import { begin, type Session } from '../../db/pool/connection.ts'
import { serverError } from '../../db/errors.ts'
import { checksum, migrate, pendingMigrations } from '../../db/schema/migrate.ts'
import { migrations, type Migration } from '../../db/schema/migrations.ts'
import type { CommandContext } from '../command-context.ts'
import { counted, openFile } from '../input-file.ts'
import { parseFile } from '../parse-options.ts'
import { fillFirst, refuseDistributed } from '../distribute/usable-cluster.ts'
import { retryUntilAvailable, withNewDatabase } from '../with-database.ts'
import analyzeSql from '../../../sql/backup/analyze.sql'
import beginSql from '../../../sql/backup/begin-restore.sql'
import endSql from '../../../sql/backup/end-restore.sql'
import { createDigest, InvalidBackup, readBackup, type Block, type Header, type TableHead } from './backup-file.ts'
import {
  allTables,
  describeRows,
  insertRows,
  prepareSession,
  readRows,
  readTables,
  savedTables,
  totalOf,
  writtenByTriggers,
  type Table,
} from './tables.ts'

export const restoreUsage = 'workgate restore FILE|-'

const foreignKeyViolation = '23503'

type Blocks = AsyncGenerator<Block>
type Advance = (rows: number) => void

export async function restore(context: CommandContext): Promise<void> {
  const path = parseFile(context.args, restoreUsage)
  try {
    if (path !== '-') await checkFile(context, path)
    const blocks = readBackup(openFile(context, path).stream)
    try {
      const header = await readHeader(blocks)
      const saved = migrationsOf(header)
      const rows = await withNewDatabase(context, (db) => restoreInto(context, db, blocks, header, saved))
      context.print(`Restored ${describeRows(rows)}, saved at ${header.takenAt}.`)
    } finally {
      // Standard input would keep the process running.
      await blocks.return(undefined)
    }
  } catch (error) {
    const server = serverError(error)
    if (server?.code === foreignKeyViolation)
      throw new Error(
        `nothing was restored: a row of ${server.table_name} refers to a row that the backup does not contain (${server.constraint_name}). ` +
          'Run "workgate doctor --repair" on the database that was saved, and save it again. If it does not exist any more, see "Restore" in the guide "Backups and upgrades"',
      )
    if (error instanceof InvalidBackup) throw new Error(`${path === '-' ? 'standard input' : path} is ${error.message}`)
    throw error
  }
}

/** Reads all of the file before anything is written. */
async function checkFile(context: CommandContext, path: string): Promise<void> {
  const { bytes, stream } = openFile(context, path)
  const onMegabytes = (advance: Advance) => (count: number) => advance(count / 1e6)
  await context.progress(
    'checking the backup',
    bytes / 1e6,
    async (advance) => {
      for await (const block of readBackup(counted(stream, onMegabytes(advance)))) {
        // A later version can have other tables.
        if ('header' in block) migrationsOf(block.header)
      }
    },
    'MB',
  )
}

async function readHeader(blocks: Blocks): Promise<Header> {
  const { value } = await blocks.next()
  return (value as { header: Header }).header
}

/** Returns the migrations of the database that was saved. They must be the first of this version. */
function migrationsOf({ version, migrations: saved }: Header): Migration[] {
  for (const [n, { name, checksum: recorded }] of saved.entries()) {
    const known = migrations[n]
    if (known === undefined)
      throw new InvalidBackup(`a backup of a later version of Workgate (${version}): use that version`)
    if (known.name !== name || checksum(known) !== recorded)
      throw new InvalidBackup(`a backup of an unreleased version of Workgate, which has another migration ${name}`)
  }
  return migrations.slice(0, saved.length)
}

async function restoreInto(
  context: CommandContext,
  db: Database,
  blocks: Blocks,
  header: Header,
  saved: readonly Migration[],
): Promise<Record<string, number>> {
  const { log, progress } = context
  const pending = await retryUntilAvailable(context, () => pendingMigrations(db, migrations))
  await refuseDistributed(db, `restore cannot fill a distributed database: ${fillFirst}`)
  // A new database first gets the schema of the backup.
  await migrate(db, pending.length === migrations.length ? saved : migrations, log, progress)
  const total = totalOf(header.rows)
  const restored = await db.session(async (session) => {
    await session.script(`${begin}; lock table ${allTables} in share row exclusive mode`)
    await prepareSession(session, {})
    await requireEmpty(session)
    await session.script(beginSql)
    const tables = await readTables(session)
    const restored = await progress('restoring rows', total, (advance) => load(session, tables, blocks, advance))
    await session.script(endSql)
    await progress('comparing rows', total, (advance) => compare(session, restored, advance))
    await session.script('commit')
    await session.script(analyzeSql)
    return restored
  })
  await migrate(db, migrations, log, progress)
  return Object.fromEntries(restored.map(({ table, rows }) => [table.name, rows]))
}

async function requireEmpty(session: Session): Promise<void> {
  const exists = savedTables.map((name) => `exists (select from workgate.${name}) as ${name}`)
  const [row] = await session.run<Record<string, boolean>>(`select ${exists.join(', ')}`)
  const filled = savedTables.find((name) => row![name])
  if (filled !== undefined)
    throw new Error(`the database is not empty: workgate.${filled} has rows. Restore the backup into a new database`)
}

interface Restored {
  table: Table
  /** The digest is computed from them. */
  columns: string[]
  digest: string
  /** The number of inserted rows. */
  rows: number
}

async function load(session: Session, tables: readonly Table[], blocks: Blocks, advance: Advance): Promise<Restored[]> {
  const loaded: Omit<Restored, 'digest'>[] = []
  let insert: ReturnType<typeof insertRows> | undefined
  for await (const block of blocks) {
    if ('digests' in block) return loaded.map((one) => ({ ...one, digest: block.digests[one.table.name]! }))
    if ('table' in block) {
      const table = findTable(tables, block)
      loaded.push({ table, columns: block.columns, rows: 0 })
      insert = insertRows(table, block.columns)
      if (writtenByTriggers.includes(table.name)) await session.script(`truncate workgate.${table.name}`)
    }
    if ('lines' in block) {
      await insert!(session, { rows: `[${block.lines.join(',')}]` })
      loaded.at(-1)!.rows += block.lines.length
      advance(block.lines.length)
    }
  }
  // readBackup() throws if the end is missing.
  return []
}

function findTable(tables: readonly Table[], { table: name, columns }: TableHead): Table {
  const table = tables.find((one) => one.name === name)!
  const unknown = columns.find((column) => !table.columns.has(column))
  if (unknown !== undefined)
    throw new Error(
      `the database has a later schema, without ${name}.${unknown}: restore the backup into a new database`,
    )
  return table
}

/** Triggers and types could have changed values. */
async function compare(session: Session, restored: readonly Restored[], advance: Advance) {
  for (const { table, columns, digest } of restored) {
    const found = createDigest()
    for await (const lines of readRows(session, table, columns)) {
      for (const line of lines) found.add(line)
      advance(lines.length)
    }
    if (found.end() !== digest)
      throw new Error(`nothing was restored: the rows of ${table.name} would differ from the backup`)
  }
}
