// workgate doctor: whether the database is as the service needs it, in plain words.

import { parseArgs } from 'node:util'
import type { Session } from '../db/connection.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { query } from '../db/query.ts'
import { UsageError, type Host } from './host.ts'
import { patiently, withDatabase } from './with-database.ts'
import projectsSql from '../../sql/doctor/projects.sql'
import recountSql from '../../sql/doctor/recount.sql'
import serverSql from '../../sql/doctor/server.sql'

const findServer = query<{ version: string; database: string; role: string }>(serverSql)
const findProjects = query<{ id: string; key: string }>(projectsSql)
const recount = query<{ wrong: number }>(recountSql)

export const doctorUsage = `workgate doctor [--repair]`

/** Something is not as it should be; what it is has been printed. */
export class Findings extends Error {
  override name = 'Findings'
}

export async function doctor(host: Host): Promise<void> {
  const repair = readOptions(host.args)
  await withDatabase(host, async (db) => {
    const pending = await patiently(host, () => pendingMigrations(db, migrations))
    // A session has no limit of time: with many rows it takes a while.
    await db.session(async (session) => {
      const [server] = await findServer(session, {})
      host.print(`PostgreSQL ${server!.version}, database ${server!.database}, as ${server!.role}`)
      if (pending.length > 0) {
        host.print(`Migrations: ${pending.map(({ name }) => name).join(', ')} missing; run "workgate migrate"`)
        throw new Findings('the database is not migrated')
      }
      host.print(`Migrations: all ${migrations.length} are there`)
      await compareTallies(host, session, repair)
    })
  })
}

async function compareTallies(host: Host, session: Session, repair: boolean): Promise<void> {
  const projects = await findProjects(session, {})
  let differing = 0
  for (const { id, key } of projects) {
    const [row] = await recount(session, { projectId: id, repair })
    if (row!.wrong === 0) continue
    differing++
    host.print(`Tallies of project ${key} (${id}): ${row!.wrong} differed from its rows${repair ? ', put right' : ''}`)
  }
  const right = repair ? projects.length : projects.length - differing
  host.print(`Tallies: ${right} of ${projects.length} projects have what their rows say`)
  if (differing > 0 && !repair) throw new Findings('tallies differ from the rows; run "workgate doctor --repair"')
}

function readOptions(args: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...args], options: { repair: { type: 'boolean' } } }).values.repair ?? false
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${doctorUsage}`)
  }
}
