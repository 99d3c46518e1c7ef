// Checks migrations, triggers and tallies, and repairs the latter two if asked to.

import { begin, type Session } from '../../db/connection.ts'
import { serverError } from '../../db/errors.ts'
import { MigrationError, pendingMigrations } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations.ts'
import { query } from '../../db/query.ts'
import { fault, formatNames, ok, warning, type Finding } from './finding.ts'
import enableTriggersSql from '../../../sql/doctor/enable-triggers.sql'
import projectsSql from '../../../sql/doctor/projects.sql'
import recountSql from '../../../sql/doctor/recount.sql'
import triggersSql from '../../../sql/doctor/triggers.sql'

const findProjects = query<{ id: string; key: string }>(projectsSql)
const findWrongTriggers = query<{ name: string; table: string }>(triggersSql)
const enableTriggers = query(enableTriggersSql)
const recount = query<{ wrong: number }>(recountSql)

const advice = 'Run "workgate doctor --repair".'

export async function checkMigrations(session: Session): Promise<Finding> {
  try {
    const pending = await pendingMigrations(session, migrations)
    if (pending.length === 0) return ok('migrations', `All ${migrations.length} are there, as they were released`)
    return fault('migrations', `Missing: ${pending.map(({ name }) => name).join(', ')}.`, 'Run "workgate migrate".')
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    return fault(
      'migrations',
      `${error.message}.`,
      'Run the version of Workgate that the database was migrated by, or restore a backup.',
    )
  }
}

export async function checkTriggers(session: Session, repair: boolean): Promise<Finding> {
  const wrong = await findWrongTriggers(session, {})
  if (wrong.length === 0) return ok('triggers', 'All are in force')
  const names = formatNames(wrong.map(({ name, table }) => `${name} on ${table}`))
  if (!repair) return fault('triggers', `Off, or in force for others than they should be: ${names}.`, advice)
  await enableTriggers(session, {})
  return ok('triggers', `Put right: ${names}`)
}

export async function checkTallies(session: Session, repair: boolean): Promise<Finding> {
  try {
    return await compareTallies(session, repair)
  } catch (error) {
    if (!['42501', '25006'].includes(serverError(error)?.code ?? '')) throw error
    const finding = 'They cannot be compared with the rows by this role, or as long as nothing can be written.'
    const asOwner = 'Run the doctor as the owner of schema workgate as well.'
    return repair ? fault('tallies', finding, asOwner) : warning('tallies', finding, asOwner)
  }
}

async function compareTallies(session: Session, repair: boolean): Promise<Finding> {
  const projects = await findProjects(session, {})
  const differing: string[] = []
  for (const { id, key } of projects) {
    await session.script(begin)
    const [row] = await recount(session, { projectId: id, repair })
    await session.script('commit')
    if (row!.wrong > 0) differing.push(`${key} (${id}): ${row!.wrong}`)
  }
  const names = formatNames(differing)
  if (differing.length === 0)
    return ok('tallies', `${projects.length} of ${projects.length} projects have what their rows say`)
  if (repair) return ok('tallies', `Put right, of ${projects.length} projects: ${names}`)
  return fault('tallies', `Of ${projects.length} projects, so many differ from the rows: ${names}.`, advice)
}
