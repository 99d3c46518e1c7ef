// workgate backup: saves a database in a file, as it is at one moment, while the service is running.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Session } from '../../db/pool/connection.ts'
import { checksum, pendingMigrations } from '../../db/schema/migrate.ts'
import { migrations } from '../../db/schema/migrations.ts'
import { version } from '../../runtime/program.ts'
import { IncompleteError, type CommandContext } from '../command-context.ts'
import { refuseDistributed } from '../distribute/usable-cluster.ts'
import { describeOrphans, findOrphans } from '../orphans.ts'
import { writeOutputFile } from '../output-file.ts'
import { parseFile } from '../parse-options.ts'
import { withDatabase } from '../with-database.ts'
import { createDigest, digestOf, type Header, type TableHead } from './backup-file.ts'
import { allTables, describeRows, prepareSession, readRows, readTables, savedTables, totalOf } from './tables.ts'

export const backupUsage = 'workgate backup FILE|-'

export async function backup(context: CommandContext): Promise<void> {
  const path = parseFile(context.args, backupUsage)
  const { header, orphans } = await withDatabase(context, (db) =>
    db.session(async (session) => {
      await refuseDistributed(
        session,
        'backup cannot save a distributed database at one moment: back up its nodes, with citus_create_restore_point',
      )
      const header = await beginBackup(session)
      await context.progress('saving rows', totalOf(header.rows), async (advance) => {
        const lines = Readable.from(writeLines(session, header, advance))
        if (path === '-') await pipeline(lines, createGzip(), context.output, { end: false })
        else await pipeline(lines, createGzip(), (chunks) => writeOutputFile(path, chunks))
      })
      // In the same transaction, so of the saved rows.
      return { header, orphans: await findOrphans(session) }
    }),
  )
  if (path !== '-') context.print(`Saved ${describeRows(header.rows)} in ${path}.`)
  // Saved nevertheless: it contains everything, and the next backup may be too late.
  if (orphans.length > 0)
    throw new IncompleteError(
      `the backup cannot be restored as it is, because rows refer to rows that do not exist: ${describeOrphans(orphans)}. ` +
        'Run "workgate doctor --repair", and save again',
    )
}

async function beginBackup(session: Session): Promise<Header> {
  // Locked before the first statement that needs a snapshot: a truncate is not seen through older snapshots.
  await session.script(`begin isolation level repeatable read read only; lock table ${allTables} in access share mode`)
  await prepareSession(session, {})
  const pending = await pendingMigrations(session, migrations)
  if (pending.length > 0)
    throw new Error(
      'the database has pending migrations: run "workgate migrate", or make the backup with the version of its service',
    )
  const counts = savedTables.map((name) => `(select count(*) from workgate.${name})::float8 as ${name}`)
  const [rows] = await session.run<Record<string, number>>(`select ${counts.join(', ')}`)
  const [moment] = await session.run<{ now: string }>('select workgate.iso(now()) as now')
  return {
    workgate: 'backup',
    format: 1,
    version,
    takenAt: moment!.now,
    migrations: migrations.map((migration) => ({ name: migration.name, checksum: checksum(migration) })),
    rows: rows!,
  }
}

/** Yields the text of the backup. */
async function* writeLines(session: Session, header: Header, advance: (rows: number) => void): AsyncGenerator<string> {
  const heads: string[] = []
  const digests: Record<string, string> = {}
  const head = (value: Header | TableHead) => {
    heads.push(JSON.stringify(value))
    return `${heads.at(-1)}\n`
  }
  yield head(header)
  for (const table of await readTables(session)) {
    const columns = [...table.columns.keys()]
    yield head({ table: table.name, columns })
    const digest = createDigest()
    for await (const lines of readRows(session, table, columns)) {
      for (const line of lines) digest.add(line)
      // Separately, which does not copy a long line.
      yield lines.join('\n')
      yield '\n'
      advance(lines.length)
    }
    digests[table.name] = digest.end()
  }
  yield `${JSON.stringify({ digest: digestOf(heads, digests) })}\n`
}
