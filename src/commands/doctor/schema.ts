// Checks migrations, triggers, the journal and tallies. With --repair, fixes triggers and tallies.

import { begin, type Session } from '../../db/pool/connection.ts'
import { serverError } from '../../db/errors.ts'
import { MigrationError, pendingMigrations } from '../../db/schema/migrate.ts'
import { migrations } from '../../db/schema/migrations.ts'
import { query } from '../../db/statements/query.ts'
import type { Progress } from '../../runtime/progress.ts'
import { fault, formatNames, ok, warning, type Outcome } from './finding.ts'
import enableTriggersSql from '../../../sql/doctor/enable-triggers.sql'
import journalSql from '../../../sql/doctor/journal.sql'
import projectsSql from '../../../sql/doctor/projects.sql'
import recountSql from '../../../sql/doctor/recount.sql'
import triggersSql from '../../../sql/doctor/triggers.sql'
import waitingSql from '../../../sql/doctor/waiting.sql'

const findProjects = query<{ id: string; key: string; tasks: number }>(projectsSql)
const findWrongTriggers = query<{ trigger: string }>(triggersSql)
const enableTriggers = query(enableTriggersSql)
const recount = query<{ wrong: number }>(recountSql)

const advice = 'Run "workgate doctor --repair".'

export async function checkMigrations(session: Session): Promise<Outcome> {
  try {
    const pending = await pendingMigrations(session, migrations)
    if (pending.length === 0) return ok(`All ${migrations.length} migrations are applied and unedited`)
    return fault(`Pending: ${pending.map(({ name }) => name).join(', ')}.`, 'Run "workgate migrate".')
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    return fault(`${error.message}.`, 'Run the version of Workgate that migrated this database, or restore a backup.')
  }
}

export async function checkTriggers(session: Session, repair: boolean): Promise<Outcome> {
  const wrong = await findWrongTriggers(session, {})
  if (wrong.length === 0) return ok('All triggers are enabled for the right replication role')
  const names = formatNames(wrong.map(({ trigger }) => trigger))
  if (!repair) return fault(`Disabled, or enabled for the wrong replication role: ${names}.`, advice)
  await enableTriggers(session, {})
  const remaining = await findWrongTriggers(session, {})
  if (remaining.length === 0) return ok(`Repaired: ${names}`)
  return fault(
    `Still disabled, because only a superuser can enable them: ${formatNames(remaining.map(({ trigger }) => trigger))}.`,
    'As a superuser, run "select workgate.enable_triggers(), workgate.touch()". Then run "workgate doctor --repair" again.',
  )
}

export async function checkTallies(session: Session, repair: boolean, progress: Progress): Promise<Outcome> {
  try {
    return await compareTallies(session, repair, progress)
  } catch (error) {
    if (!['42501', '25006'].includes(serverError(error)?.code ?? '')) throw error
    const finding =
      'The tallies cannot be compared with the rows: the role lacks the privilege, or the database is read-only.'
    const asOwner = 'Run the doctor again as the owner of schema workgate.'
    return repair ? fault(finding, asOwner) : warning(finding, asOwner)
  }
}

async function compareTallies(session: Session, repair: boolean, progress: Progress): Promise<Outcome> {
  const projects = await findProjects(session, {})
  const differing: string[] = []
  const total = projects.reduce((sum, { tasks }) => sum + tasks, 0)
  await progress('recounting tasks', total, async (advance) => {
    for (const { id, key, tasks } of projects) {
      await session.script(begin)
      const [row] = await recount(session, { projectId: id, repair })
      await session.script('commit')
      if (row!.wrong > 0) differing.push(`${key} (${id}): ${row!.wrong}`)
      advance(tasks)
    }
  })
  const names = formatNames(differing)
  if (differing.length === 0) return ok(`The tallies of all ${projects.length} projects match the rows`)
  const affected = `${differing.length} of ${projects.length} projects`
  if (repair) return ok(`Repaired tallies in ${affected}: ${names}`)
  return fault(`Wrong tallies in ${affected}: ${names}.`, advice)
}

const findWaiting = query<{ marks: number; tallyDeltas: number }>(waitingSql)
const maxRows = 100_000

/** Readers read the rows one by one that triggers append, until the service compacts them. */
export async function checkCompaction(session: Session): Promise<Outcome> {
  const [row] = await findWaiting(session, { most: maxRows + 1 })
  const waiting = Object.entries({ 'workgate.freshness_marks': row!.marks, 'workgate.tally_deltas': row!.tallyDeltas })
  const format = (count: number) => (count > maxRows ? 'more than 100,000' : count.toLocaleString('en-US'))
  const text = `Rows waiting for compaction: ${waiting.map(([table, count]) => `${format(count)} in ${table}`).join(', ')}`
  if (waiting.every(([, count]) => count <= maxRows)) return ok(text)
  return warning(
    `${text}.`,
    'The service compacts them while it runs: check that it is running, and search its log for "could not be compacted".',
  )
}

const findJournal = query<{ size: string; oldestDays: number | null }>(journalSql)

export async function checkJournal(session: Session, keptDays: number): Promise<Outcome> {
  const [row] = await findJournal(session, {})
  const { size, oldestDays } = row!
  if (oldestDays === null) return ok(`The journal of changes takes ${size} and is empty`)
  const text = `The journal of changes takes ${size}, and its oldest entry is ${Math.floor(oldestDays)} days old`
  if (oldestDays <= keptDays + 1) return ok(text)
  return warning(
    `${text}.`,
    `The service deletes entries after ${keptDays} days (CHANGES_KEPT_DAYS), unless a transaction has been open for longer: check that it is running, and look for old transactions in pg_stat_activity and pg_prepared_xacts.`,
  )
}
