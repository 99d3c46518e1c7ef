// Clients that write at the same time, each with a connection of its own: transactions of several statements at any
// isolation, of which some are rolled back, whole or to a savepoint. What the database refuses for the sake of order
// (a deadlock, a serialization failure, something that another has deleted, a truncate that must see all) is a rollback,
// too; any other refusal is a fault.

import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Sql } from '../support/workgate.ts'
import type { Choice } from './moments.ts'
import { deleteProject, operations, truncate, type Operation } from './row-operations.ts'
import { entryRow, estimateOf, lasting, timesOf, type Sight } from './analytics-world.ts'

/** How often something was committed, so that nothing is tried in vain all the time. */
export type Tally = Map<string, number>

const count = (tally: Tally, name: string) => tally.set(name, 1 + (tally.get(name) ?? 0))
const mayRefuse = new Set(['40001', '40P01', '23503', '23505', '23514', 'WG007'])

function refusalOf(error: unknown): string {
  const { code } = error as { code?: string }
  if (!code || !mayRefuse.has(code)) throw error
  return code
}

export const openClient = (url: string): Sql =>
  connect(url, { max: 1, connection: { statement_timeout: 20_000, deadlock_timeout: 100 } as Record<string, number> })

const isolations = ['read committed', 'read committed', 'read committed', 'repeatable read', 'serializable']

/** What has never been committed comes up more often than the rest; who `finishes` goes on until nothing is left of it. */
export async function write(sql: Sql, choice: Choice, transactions: number, tally: Tally, finishes: boolean) {
  const { chance, pick } = choice
  const all = Object.entries(operations)
  for (let n = 0; ; n++) {
    const missing = all.filter(([name]) => !tally.has(name))
    // To truncate takes luck while others write: they have to end.
    if (n >= transactions && !(finishes && (missing.length > 0 || !tally.has('truncate')))) break
    const rest = await sql`select id from workgate.projects where id <> all (${lasting}) order by id limit 20`
    const deletes = finishes && !tally.has('delete a project')
    const isLasting = rest.length === 0 || (chance(0.8) && !deletes)
    const project = isLasting ? pick(lasting) : pick(rest)['id']
    const script = choice.times(1 + choice.below(4), () => pick(missing.length > 0 && chance(0.3) ? missing : all))
    if (finishes && (n % 4 === 0 || !tally.has('truncate'))) script.unshift(['truncate', truncate])
    if (!isLasting && (chance(0.3) || deletes)) script.push(['delete a project', deleteProject])
    await transact(sql, choice, project, script, tally)
  }
}

async function transact(sql: Sql, choice: Choice, project: string, script: [string, Operation][], tally: Tally) {
  const { chance, pick } = choice
  const worked: string[] = []
  try {
    await sql.unsafe(`begin isolation level ${pick(isolations)}`)
    const sight = await look(sql, choice, project)
    for (const [name, operation] of script) {
      if (chance(0.2)) {
        await sql`savepoint before`
        try {
          await operation(sql, choice, sight)
          if (chance(0.5)) await sql`rollback to before`
        } catch (error) {
          count(tally, refusalOf(error))
          await sql`rollback to before`
        }
      } else {
        await operation(sql, choice, sight)
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

/** Some of the rows of a project; a task there is always. */
async function look(sql: Sql, choice: Choice, project: string): Promise<Sight> {
  const from = choice.id()
  const some = (table: string) =>
    sql`array(select id from ${sql(`workgate.${table}`)} where project_id = ${project} order by id < ${from}, id limit 20)`
  const [row] = await sql`
    select ${some('tasks')} as tasks, ${some('time_entries')} as entries, ${some('comments')} as comments,
      ${some('documents')} as documents, ${some('stages')} as stages, ${some('boards')} as boards,
      array(select user_id from workgate.project_members where project_id = ${project} order by user_id) as members`
  const sight = { project, ...row } as Sight
  if (sight.tasks.length > 0) return sight
  const [task] = await sql`insert into workgate.tasks (project_id, title) values (${project}, 'First') returning id`
  return { ...sight, tasks: [task!['id']] }
}

type Statement = (sql: Sql) => Promise<unknown>

/**
 * Two transactions that are open at the same time, statement by statement in any order: one changes a task, the other
 * the time spent on it, so that neither sees what the other does to the sums that need both.
 */
export async function race(left: Sql, right: Sql, choice: Choice, tally: Tally): Promise<void> {
  const { chance, pick, times } = choice
  const project = pick(lasting)
  const sight = await look(left, choice, project).catch((error: unknown) => void count(tally, refusalOf(error)))
  if (!sight) return
  // Few tasks, so that they meet again and again.
  sight.tasks.splice(2)
  const script = (statements: Statement[]): Statement[] => [
    (sql) => sql.unsafe(`begin isolation level ${pick(isolations)}`),
    ...times(1 + choice.below(2), () => pick(statements)),
    (sql) => (chance(0.85) ? sql`commit` : sql`rollback`),
  ]
  const sides = [
    { sql: left, script: script(taskChanges(choice, sight)), busy: undefined as Promise<void> | undefined },
    { sql: right, script: script(timeChanges(choice, sight)), busy: undefined },
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
    // Whoever waits for a lock of the other is left waiting.
    await Promise.race([side.busy, sleep(15)])
  }
}

function taskChanges(choice: Choice, { project, tasks }: Sight): Statement[] {
  const task = choice.pick(tasks)
  const estimate = estimateOf(choice)
  const theTask = (sql: Sql) => sql`project_id = ${project} and id = ${task}`
  return [
    (sql) => sql`update workgate.tasks set estimate_seconds = ${estimate} where ${theTask(sql)}`,
    (sql) => sql`update workgate.tasks set estimate_seconds = nullif(300, estimate_seconds) where ${theTask(sql)}`,
    (sql) =>
      sql`update workgate.tasks set estimate_seconds = nullif(600, estimate_seconds) where project_id = ${project} and id = any (${tasks})`,
    (sql) =>
      sql`update workgate.tasks set state = case state when 'open' then 'completed' else 'open' end where ${theTask(sql)}`,
    (sql) => sql`delete from workgate.tasks where ${theTask(sql)} and number % 4 = 0`,
  ]
}

function timeChanges(choice: Choice, sight: Sight): Statement[] {
  const { project, tasks } = sight
  const ofTasks = (sql: Sql) => sql`project_id = ${project} and task_id = any (${tasks})`
  const changes = timesOf(choice)
  return [
    (sql) => sql`insert into workgate.time_entries ${sql(entryRow(choice, sight))}`,
    (sql) => sql`insert into workgate.time_entries ${sql(choice.times(9, () => entryRow(choice, sight)))}`,
    (sql) => sql`update workgate.time_entries set ended_at = started_at + interval '77 seconds' where ${ofTasks(sql)}`,
    (sql) => sql`update workgate.time_entries set task_id = ${choice.pick(tasks)} where ${ofTasks(sql)}`,
    (sql) => sql`update workgate.time_entries set billable = not billable where ${ofTasks(sql)}`,
    (sql) => sql`update workgate.time_entries set ${sql(changes)} where ${ofTasks(sql)} and billable`,
    (sql) => sql`delete from workgate.time_entries where ${ofTasks(sql)} and billable`,
  ]
}
