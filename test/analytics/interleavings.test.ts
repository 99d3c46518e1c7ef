// Interleaves two transactions step by step. In any order of snapshots and commits, only rows that exist are counted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { run } from '../support/environment.ts'
import { chooser } from '../support/random.ts'
import type { Sql } from '../support/workgate.ts'
import { openClient } from './concurrent-writers.ts'

type Step = (sql: Sql, project: string) => Promise<unknown>

// prettier-ignore
const steps: Record<string, Step> = {
  'reads':               (sql, project) => sql`select from workgate.tasks where project_id = ${project}`,
  'estimates':           (sql, project) => sql`update workgate.tasks set estimate_seconds = 60 where project_id = ${project}`,
  'clears the estimate': (sql, project) => sql`update workgate.tasks set estimate_seconds = null where project_id = ${project}`,
  'completes':           (sql, project) => sql`update workgate.tasks set state = 'completed' where project_id = ${project}`,
  'adds time':           (sql, project) => sql`
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
    select project_id, id, ${user}, '2026-01-01', '2026-01-01T08:00:00Z', '2026-01-01T09:00:00Z'
    from workgate.tasks where project_id = ${project}`,
  'deletes the time':    (sql, project) => sql`delete from workgate.time_entries where project_id = ${project}`,
  'deletes the tasks':   (sql, project) => sql`delete from workgate.tasks where project_id = ${project}`,
  'deletes the project': (sql, project) => sql`delete from workgate.projects where id = ${project}`,
  'commits':             (sql) => sql`commit`,
}

// prettier-ignore
const claims: [claim: string, script: string][] = [
  ['a deleted project whose tasks another transaction deleted leaves nothing behind', 'a reads, b deletes the tasks, b commits, a deletes the project, a commits'],
  ['time is added before the estimate and committed after it', 'a adds time, b estimates, b commits, a commits'],
  ['time is added after the estimate and committed before it', 'a estimates, b adds time, b commits, a commits'],
  ['time is added with a snapshot from before the estimate',   'a reads, b estimates, b commits, a adds time, a commits'],
  ['a task is estimated with a snapshot from before the time', 'a reads, b adds time, b commits, a estimates, a commits'],
  ['an estimate is cleared while time is added',               'a estimates, a commits, a reads, b reads, b adds time, a clears the estimate, a commits, b commits'],
  ['an estimate is cleared while time is deleted',             'a estimates, a adds time, a commits, b deletes the time, a clears the estimate, a commits, b commits'],
  ['a task is completed while time is added',                  'a estimates, a commits, a adds time, b completes, b commits, a commits'],
  ['time is added while the task is completed',                'a estimates, a commits, a completes, b adds time, b commits, a commits'],
]

const { id } = chooser(99)
const user = id()
const { workgate, key } = await contractSuite({ environment: { LOG_LEVEL: 'error' } })
await workgate.sql`insert into workgate.users ${workgate.sql({ id: user, name: 'Ada', email: 'ada@example.org' })}`
await workgate.sql`select workgate.add_field('points', 'number')`

/** Compacts and recounts the tallies. Skipped while an open transaction holds a lock that this needs. */
async function recount(project: string, line: string) {
  const wrong = await workgate.sql
    .begin(async (sql) => {
      await sql`set local lock_timeout = 50`
      // Compaction removes the tallies that are left of a deleted project.
      await sql`select workgate.compact_tallies(${project})`
      return sql`select * from workgate.recount(${project})`
    })
    .catch((error: { code?: string }) => {
      assert.equal(error.code, '55P03', line)
      return []
    })
  assert.deepEqual([...wrong], [], `after ${line}`)
}

async function play(script: string, project: string, level: string, compacts: boolean) {
  const clients: Record<string, Sql> = { a: openClient(workgate.url), b: openClient(workgate.url) }
  const open = new Set<string>()
  for (const line of script.split(', ')) {
    const [client, action] = [line.slice(0, 1), line.slice(2)]
    if (!open.has(client)) await clients[client]!.unsafe(`begin isolation level ${level}`)
    open.add(client)
    try {
      await steps[action]!(clients[client]!, project)
    } catch (error) {
      // A serialization failure rolls the transaction back.
      assert.equal((error as { code?: string }).code, '40001', line)
      await clients[client]!`rollback`
    }
    if (action === 'commits') open.delete(client)
    if (compacts) await recount(project, line)
  }
  for (const client of Object.values(clients)) await client.end()
}

let projects = 0
// Serializable transactions have the same snapshots as repeatable read ones, so they run only with --thorough.
const isolations = ['read committed', 'repeatable read', ...(run().thorough ? ['serializable'] : [])]
const levels = isolations.flatMap((level) => [
  [level, level, false] as const,
  [`${level}, compacted after each step`, level, true] as const,
])
for (const [name, level, compacts] of levels) {
  for (const [claim, script] of claims) {
    test(`${name}: ${claim}`, async () => {
      const { sql } = workgate
      const project = id()
      await sql`insert into workgate.projects ${sql({ id: project, key: `I${projects++}`, name: 'Interleaved' })}`
      await sql`insert into workgate.tasks ${sql({ project_id: project, title: 'Task', fields: { points: 2.5 } })}`
      await play(script, project, level, compacts)
      await recount(project, 'the end')

      const [counts] = await sql`
        select
          (select count(*) from workgate.projects where id = ${project})::integer as projects,
          (
            select coalesce(sum(e.duration_seconds), 0)
            from workgate.time_entries e
            join workgate.tasks t on t.project_id = e.project_id and t.id = e.task_id
            where e.project_id = ${project} and t.estimate_seconds is not null
          )::integer as seconds`
      const { status, body } = await workgate.send(`GET /projects/${project}/analytics/overview`, { key })
      assert.equal(status, counts!['projects'] === 1 ? 200 : 404)
      if (status === 200) assert.equal(body.data.time.estimatedTaskSeconds, counts!['seconds'])
    })
  }
}
