// Fills an empty database with a year of believable work: the same rows for the same options, ids and times included.
// sql/demo holds all of it; what happens here is only the order.

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

const findWhetherEmpty = query<{ empty: boolean }>(isEmptySql)
const writeBrief = query(briefSql)
const planTasks = query(planTasksSql)
const countRows = query<Record<string, number>>(countsSql)

export interface Brief {
  projects: number
  tasks: number
  /** The day (UTC) at whose beginning the history ends, such as 2026-11-21. */
  until: string
}

/** The database holds users, teams or projects. */
export class NotEmpty extends Error {
  override name = 'NotEmpty'
}

// Bounds what one transaction holds and for how long it keeps other writers of tasks waiting: some seconds.
const tasksPerBatch = 50_000

/** Says how many rows there are then. Up to one batch it is all or nothing; beyond, whole batches stay. */
export async function fillWithDemo(db: Database, brief: Brief, log: Log): Promise<Record<string, number>> {
  return db.session(async (session) => {
    await session.script(begin)
    await session.script(toolsSql)
    const [found] = await findWhetherEmpty(session, {})
    if (!found!.empty)
      throw new NotEmpty('the database holds users, teams or projects; only an empty one can be filled')
    await writeBrief(session, { ...brief })
    for (const script of [calendarSql, peopleSql, languagesSql, themesSql, projectsSql]) await session.script(script)
    for (let from = 0; from < brief.tasks; from += tasksPerBatch) {
      const to = Math.min(from + tasksPerBatch, brief.tasks)
      if (from > 0) await session.script(begin)
      await writeTasks(session, from, to)
      if (to === brief.tasks) await session.script(runningTimersSql)
      await session.script('commit')
      log.info('demo', { tasks: to })
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
