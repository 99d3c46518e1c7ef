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
import enableTriggersSql from '../../sql/doctor/enable-triggers.sql'
import serverSql from '../../sql/doctor/server.sql'
import triggersSql from '../../sql/doctor/triggers.sql'

const findServer = query<{ version: string; database: string; role: string }>(serverSql)
const findProjects = query<{ id: string; key: string }>(projectsSql)
const findWrongTriggers = query<{ name: string; table: string }>(triggersSql)
const enableTriggers = query(enableTriggersSql)
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
      const found = [await checkTriggers(host, session, repair), await compareTallies(host, session, repair)].filter(
        Boolean,
      )
      if (found.length > 0) throw new Findings(`${found.join(', and ')}; run "workgate doctor --repair"`)
    })
  })
}

/** Says what is left to repair. */
type Check = (host: Host, session: Session, repair: boolean) => Promise<string | undefined>

const checkTriggers: Check = async ({ print }, session, repair) => {
  const wrong = await findWrongTriggers(session, {})
  for (const { name, table } of wrong) {
    print(`Trigger ${name} on ${table}: off, or in force for others than it should be${repair ? ', put right' : ''}`)
  }
  if (wrong.length > 0 && !repair) return 'triggers are not in force'
  if (wrong.length > 0) await enableTriggers(session, {})
  print('Triggers: all are in force')
  return undefined
}

const compareTallies: Check = async (host, session, repair) => {
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
  return differing > 0 && !repair ? 'tallies differ from the rows' : undefined
}

function readOptions(args: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...args], options: { repair: { type: 'boolean' } } }).values.repair ?? false
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${doctorUsage}`)
  }
}
