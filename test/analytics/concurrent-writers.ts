// Clients that write concurrently, each on its own connection: transactions of several statements at any isolation
// level, some of which are rolled back, completely or to a savepoint. A conflict that the database refuses (a deadlock,
// a serialization failure, a row that another client has deleted, a truncate outside read committed) counts as a
// rollback; any other error fails the test.

import { setTimeout as sleep } from 'node:timers/promises'
import { withoutCode } from '../support/places.ts'
import { connect, type Sql } from '../support/workgate.ts'
import type { Choice } from './moments.ts'
import { after, deleteProject, operations, truncate, type Operation } from './row-operations.ts'
import { entryRow, estimateOf, permanent, timesOf, type KnownIds } from './analytics-world.ts'

/** How often each operation was committed, to find operations that never succeed. */
export type Tally = Map<string, number>

const count = (tally: Tally, name: string) => tally.set(name, 1 + (tally.get(name) ?? 0))
const conflictCodes = new Set(['40001', '40P01', '23503', '23505', '23514', 'WG007', 'WG008'])

function refusalOf(error: unknown): string {
  const { code = '', routine = '' } = error as { code?: string; routine?: string }
  if (withoutCode.includes(routine)) return routine
  if (!conflictCodes.has(code)) throw error
  return code
}

export const openClient = (url: string): Sql =>
  connect(url, { max: 1, connection: { statement_timeout: 20_000, deadlock_timeout: 100 } as Record<string, number> })

const isolations = ['read committed', 'read committed', 'read committed', 'repeatable read', 'serializable']

/**
 * Runs random transactions. Operations that were never committed are chosen more often. A writer that `finishes`
 * continues until each operation was committed.
 */
export async function write(sql: Sql, choice: Choice, transactions: number, tally: Tally, finishes: boolean) {
  const { chance, pick } = choice
  const all = Object.entries(operations)
  for (let n = 0; ; n++) {
    const missing = all.filter(([name]) => !tally.has(name))
    // While others write, truncate rarely succeeds, so this writer continues until they have ended.
    if (n >= transactions && !(finishes && (missing.length > 0 || !tally.has('truncate')))) break
    const rest = await sql`select id from workgate.projects where id <> all (${permanent}) order by id limit 20`
    const deletes = finishes && !tally.has('delete a project')
    const isPermanent = rest.length === 0 || (chance(0.8) && !deletes)
    const project = isPermanent ? pick(permanent) : pick(rest)['id']
    const script = choice.times(1 + choice.below(4), () => pick(missing.length > 0 && chance(0.3) ? missing : all))
    if (finishes && (n % 4 === 0 || !tally.has('truncate'))) script.unshift(['truncate', truncate])
    if (!isPermanent && (chance(0.3) || deletes)) script.push(['delete a project', deleteProject])
    await transact(sql, choice, project, script, tally)
  }
}

async function transact(sql: Sql, choice: Choice, project: string, script: [string, Operation][], tally: Tally) {
  const { chance, pick } = choice
  const worked: string[] = []
  try {
    await sql.unsafe(`begin isolation level ${pick(isolations)}`)
    const known = await readKnownIds(sql, choice, project)
    for (const [name, operation] of script) {
      if (chance(0.2)) {
        await sql`savepoint before`
        try {
          await operation(sql, choice, known)
          if (chance(0.5)) await sql`rollback to before`
        } catch (error) {
          count(tally, refusalOf(error))
          await sql`rollback to before`
        }
      } else {
        await operation(sql, choice, known)
        worked.push(name)
      }
    }
    if (chance(0.2)) {
      count(tally, 'rollback')
      await sql`rollback`
    } else {
      await sql`commit`
      for (const name of worked) count(tally, name)
    }
  } catch (error) {
    await sql`rollback`
    count(tally, refusalOf(error))
  }
}

/** Reads some ids of a project. Inserts a task if it has none. */
async function readKnownIds(sql: Sql, choice: Choice, project: string): Promise<KnownIds> {
  const from = choice.id()
  const some = (table: string) =>
    sql`array(select id from ${sql(`workgate.${table}`)} where project_id = ${project} order by id < ${from}, id limit 20)`
  const [row] = await sql`
    select ${some('tasks')} as tasks, ${some('time_entries')} as entries, ${some('comments')} as comments,
      ${some('documents')} as documents, ${some('stages')} as stages, ${some('boards')} as boards,
      array(select user_id from workgate.project_members where project_id = ${project} order by user_id) as members`
  const known = { project, ...row } as KnownIds
  if (known.tasks.length > 0) return known
  const [task] = await sql`insert into workgate.tasks (project_id, title) values (${project}, 'First') returning id`
  return { ...known, tasks: [task!['id']] }
}

type Statement = (sql: Sql) => Promise<unknown>

/**
 * Interleaves two open transactions, one statement at a time, in random order: one changes tasks, the other changes the
 * time spent on them. Neither sees how the other changes the sums that depend on both.
 */
export async function race(left: Sql, right: Sql, choice: Choice, tally: Tally): Promise<void> {
  const { chance, pick, times } = choice
  const project = pick(permanent)
  const known = await readKnownIds(left, choice, project).catch((error: unknown) => void count(tally, refusalOf(error)))
  if (!known) return
  // Few tasks, so that the transactions often conflict.
  known.tasks.splice(2)
  const script = (statements: Statement[]): Statement[] => [
    (sql) => sql.unsafe(`begin isolation level ${pick(isolations)}`),
    ...times(1 + choice.below(2), () => pick(statements)),
    (sql) => (chance(0.85) ? sql`commit` : sql`rollback`),
  ]
  const sides = [
    { sql: left, script: script(taskChanges(choice, known)), busy: undefined as Promise<void> | undefined },
    { sql: right, script: script(timeChanges(choice, known)), busy: undefined },
  ]
  for (;;) {
    const ready = sides.filter(({ script, busy }) => script.length > 0 && !busy)
    const busy = sides.flatMap((side) => side.busy ?? [])
    if (ready.length === 0 && busy.length === 0) break
    if (ready.length === 0) {
      await Promise.race(busy)
      continue
    }
    const side = pick(ready)
    side.busy = side.script.shift()!(side.sql)
      .then(
        () => {
          if (side.script.length === 0) count(tally, 'race')
        },
        async (error: unknown) => {
          side.script = []
          await side.sql`rollback`
          count(tally, refusalOf(error))
        },
      )
      .finally(() => (side.busy = undefined))
    // If the statement waits for a lock that the other transaction holds, the other one continues.
    await Promise.race([side.busy, sleep(15)])
  }
}

function taskChanges(choice: Choice, { project, tasks }: KnownIds): Statement[] {
  const task = choice.pick(tasks)
  const estimate = estimateOf(choice)
  const theTask = (sql: Sql) => sql`project_id = ${project} and id = ${task}`
  return [
    (sql) => sql`update workgate.tasks set estimate_seconds = ${estimate} where ${theTask(sql)}`,
    (sql) => sql`update workgate.tasks set estimate_seconds = nullif(300, estimate_seconds) where ${theTask(sql)}`,
    (sql) =>
      sql`update workgate.tasks set estimate_seconds = nullif(600, estimate_seconds) where project_id = ${project} and id = any (${tasks})`,
    (sql) =>
      sql`update workgate.tasks set state = case when state = 'open' then 'completed' else 'open' end where ${theTask(sql)}`,
    (sql) => sql`delete from workgate.tasks where ${theTask(sql)} and number % 4 = 0`,
  ]
}

function timeChanges(choice: Choice, known: KnownIds): Statement[] {
  const { project, tasks } = known
  const ofTasks = (sql: Sql) => sql`project_id = ${project} and task_id = any (${tasks})`
  const changes = timesOf(choice)
  return [
    (sql) => sql`insert into workgate.time_entries ${sql(entryRow(choice, known))}`,
    (sql) => sql`insert into workgate.time_entries ${sql(choice.times(9, () => entryRow(choice, known)))}`,
    (sql) => sql`update workgate.time_entries set ended_at = ${after(sql, 77_000)} where ${ofTasks(sql)}`,
    (sql) =>
      sql`update workgate.time_entries set task_id = ${choice.maybe(0.8, () => choice.pick(tasks) ?? null)} where ${ofTasks(sql)}`,
    (sql) => sql`update workgate.time_entries set billable = not billable where ${ofTasks(sql)}`,
    (sql) => sql`update workgate.time_entries set ${sql(changes)} where ${ofTasks(sql)} and billable`,
    (sql) => sql`delete from workgate.time_entries where ${ofTasks(sql)} and billable`,
  ]
}
