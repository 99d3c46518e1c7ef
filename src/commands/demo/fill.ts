// Fills an empty database with a year of realistic data. The same options create the same rows, including ids and
// times. The statements are in sql/demo; this file runs them in order, on two connections at once.

import type { Database } from '../../db/database.ts'
import { begin, type Session } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { UsageError } from '../command-context.ts'
import { untracked, type Progress } from '../../runtime/progress.ts'
import analyzeSql from '../../../sql/demo/analyze.sql'
import analyzeTasksSql from '../../../sql/demo/analyze-tasks.sql'
import aroundTasksSql from '../../../sql/demo/around-tasks.sql'
import briefSql from '../../../sql/demo/brief.sql'
import calendarSql from '../../../sql/demo/calendar.sql'
import compactTalliesSql from '../../../sql/demo/compact-tallies.sql'
import countsSql from '../../../sql/demo/counts.sql'
import isEmptySql from '../../../sql/demo/is-empty.sql'
import languagesSql from '../../../sql/demo/languages.sql'
import lockSql from '../../../sql/demo/lock.sql'
import peopleSql from '../../../sql/demo/people.sql'
import planTasksSql from '../../../sql/demo/plan-tasks.sql'
import projectsSql from '../../../sql/demo/projects.sql'
import runningTimersSql from '../../../sql/demo/running-timers.sql'
import tasksSql from '../../../sql/demo/tasks.sql'
import themesSql from '../../../sql/demo/themes.sql'
import toolsSql from '../../../sql/demo/tools.sql'
import writePeopleSql from '../../../sql/demo/write-people.sql'
import writeProjectsSql from '../../../sql/demo/write-projects.sql'

const checkEmpty = query<{ empty: boolean }>(isEmptySql)
const writeOptions = query(briefSql)
const planTasks = query(planTasksSql)
const countRows = query<Record<string, number>>(countsSql)

export interface DemoOptions {
  projects: number
  tasks: number
  /** The history ends at the start of this day (UTC), such as 2026-11-21. */
  until: string
}

type Batch = ReturnType<typeof batchesOf>[number]

// Large batches take less time per task, and small ones show progress earlier. A batch blocks other writers of tasks for
// up to two seconds.
const maxTasksPerBatch = 5_000
const minTasksPerBatch = 1_000
const wantedBatches = 20

// At this level, triggers only append tally deltas and do not compact them: see compact_tallies().
const beginWithoutCompaction = 'begin isolation level repeatable read'

/** Returns the number of rows by table. Each batch takes two transactions: after an error, earlier ones remain. */
export async function fillWithDemo(
  db: Database,
  options: DemoOptions,
  progress: Progress = untracked,
): Promise<Record<string, number>> {
  return db.session((session) =>
    db.session(async (second) => {
      await session.script(begin)
      await session.script(lockSql)
      const [found] = await checkEmpty(session, {})
      if (!found!.empty)
        throw new UsageError('the database contains users, teams or projects; demo needs an empty database')
      await Promise.all([plan(session, options), plan(second, options)])
      for (const script of [writePeopleSql, writeProjectsSql, 'commit']) await session.script(script)
      await progress('creating tasks', options.tasks, (advance) =>
        writeTasks(session, second, batchesOf(options.tasks), advance),
      )
      await second.script(analyzeSql)
      const [counts] = await countRows(session, {})
      return counts!
    }),
  )
}

/** Plans people and projects in temporary tables. Each connection needs its own. */
async function plan(session: Session, options: DemoOptions): Promise<void> {
  await session.script(toolsSql)
  await writeOptions(session, { ...options })
  for (const script of [calendarSql, peopleSql, languagesSql, themesSql, projectsSql]) await session.script(script)
}

function batchesOf(tasks: number) {
  const perBatch = Math.min(maxTasksPerBatch, Math.max(minTasksPerBatch, tasks / wantedBatches))
  const count = Math.ceil(tasks / perBatch)
  const at = (n: number) => Math.round((tasks * n) / count)
  return Array.from({ length: count }, (_, n) => ({ from: at(n), to: at(n + 1) }))
}

/** One connection writes batches of tasks. The other follows with their comments and so on. */
async function writeTasks(
  session: Session,
  second: Session,
  batches: readonly Batch[],
  advance: (tasks: number) => void,
): Promise<void> {
  let around = Promise.resolve()
  for (const batch of batches) {
    // Rejects as soon as the other connection fails, however far this one is ahead.
    await Promise.race([writeBatch(session, batch, [tasksSql]), around.then(() => new Promise<never>(() => {}))])
    const last = batch === batches.at(-1) ? [runningTimersSql] : []
    around = around
      .then(() => writeBatch(second, batch, [aroundTasksSql, ...last]))
      .then(() => second.script(compactTalliesSql))
      .then(() => advance(batch.to - batch.from))
  }
  await Promise.all([session.script(analyzeTasksSql), around])
}

async function writeBatch(session: Session, { from, to }: Batch, scripts: readonly string[]): Promise<void> {
  await session.script(beginWithoutCompaction)
  await planTasks(session, { from, to })
  for (const script of [...scripts, 'commit']) await session.script(script)
}
