// Fills an empty database with a year of realistic data. The same options create the same rows, including ids and
// times. The statements are in sql/demo; this file runs them in order.

import type { Database } from '../../db/database.ts'
import { begin, type Session } from '../../db/connection.ts'
import { query } from '../../db/query.ts'
import type { Log } from '../../runtime/log.ts'
import analyzeSql from '../../../sql/demo/analyze.sql'
import aroundTasksSql from '../../../sql/demo/around-tasks.sql'
import briefSql from '../../../sql/demo/brief.sql'
import calendarSql from '../../../sql/demo/calendar.sql'
import countsSql from '../../../sql/demo/counts.sql'
import isEmptySql from '../../../sql/demo/is-empty.sql'
import languagesSql from '../../../sql/demo/languages.sql'
import peopleSql from '../../../sql/demo/people.sql'
import planTasksSql from '../../../sql/demo/plan-tasks.sql'
import projectsSql from '../../../sql/demo/projects.sql'
import runningTimersSql from '../../../sql/demo/running-timers.sql'
import tasksSql from '../../../sql/demo/tasks.sql'
import themesSql from '../../../sql/demo/themes.sql'
import toolsSql from '../../../sql/demo/tools.sql'

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

export class DatabaseNotEmpty extends Error {
  override name = 'NotEmpty'
}

// Limits the size of a transaction, which blocks other writers of tasks for several seconds.
const tasksPerBatch = 50_000

/** Returns the number of rows by table. Each batch is one transaction: after an error, the batches before it remain. */
export async function fillWithDemo(db: Database, options: DemoOptions, log: Log): Promise<Record<string, number>> {
  return db.session(async (session) => {
    await session.script(begin)
    await session.script(toolsSql)
    const [found] = await checkEmpty(session, {})
    if (!found!.empty)
      throw new DatabaseNotEmpty('the database contains users, teams or projects; demo needs an empty database')
    await writeOptions(session, { ...options })
    for (const script of [calendarSql, peopleSql, languagesSql, themesSql, projectsSql]) await session.script(script)
    for (let from = 0; from < options.tasks; from += tasksPerBatch) {
      const to = Math.min(from + tasksPerBatch, options.tasks)
      if (from > 0) await session.script(begin)
      await writeTasks(session, from, to)
      if (to === options.tasks) await session.script(runningTimersSql)
      await session.script('commit')
      log.info('demo tasks created', { tasks: to })
    }
    await session.script(analyzeSql)
    const [counts] = await countRows(session, {})
    return counts!
  })
}

async function writeTasks(session: Session, from: number, to: number): Promise<void> {
  await planTasks(session, { from, to })
  await session.script(tasksSql)
  await session.script(aroundTasksSql)
}
