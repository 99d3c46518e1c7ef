// Transactions side by side, step by step: whatever the order in which they see and commit, nothing is counted that is
// not there.

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
  'looks':               (sql, project) => sql`select from workgate.tasks where project_id = ${project}`,
  'estimates':           (sql, project) => sql`update workgate.tasks set estimate_seconds = 60 where project_id = ${project}`,
  'estimates no more':   (sql, project) => sql`update workgate.tasks set estimate_seconds = null where project_id = ${project}`,
  'completes':           (sql, project) => sql`update workgate.tasks set state = 'completed' where project_id = ${project}`,
  'spends':              (sql, project) => sql`
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
    select project_id, id, ${user}, '2026-01-01', '2026-01-01T08:00:00Z', '2026-01-01T09:00:00Z'
    from workgate.tasks where project_id = ${project}`,
  'takes back the time': (sql, project) => sql`delete from workgate.time_entries where project_id = ${project}`,
  'deletes the tasks':   (sql, project) => sql`delete from workgate.tasks where project_id = ${project}`,
  'deletes the project': (sql, project) => sql`delete from workgate.projects where id = ${project}`,
  'commits':             (sql) => sql`commit`,
}

// prettier-ignore
const claims: [claim: string, script: string][] = [
  ['a project whose tasks another deleted meanwhile leaves nothing behind', 'a looks, b deletes the tasks, b commits, a deletes the project, a commits'],
  ['time is spent before the task is estimated, and committed after it', 'a spends, b estimates, b commits, a commits'],
  ['time is spent after the task was estimated, and committed before it', 'a estimates, b spends, b commits, a commits'],
  ['time is spent as of before the estimate',                            'a looks, b estimates, b commits, a spends, a commits'],
  ['a task is estimated as of before the time was spent',                'a looks, b spends, b commits, a estimates, a commits'],
  ['an estimate goes while time is spent',                               'a estimates, a commits, a looks, b looks, b spends, a estimates no more, a commits, b commits'],
  ['an estimate goes while time is taken back',                          'a estimates, a spends, a commits, b takes back the time, a estimates no more, a commits, b commits'],
  ['a task is completed while it gets its time',                         'a estimates, a commits, a spends, b completes, b commits, a commits'],
  ['a task gets its time while it is completed',                         'a estimates, a commits, a completes, b spends, b commits, a commits'],
]

const { id } = chooser(99)
const user = id()
const { workgate, key } = await contractSuite({ environment: { LOG_LEVEL: 'error' } })
await workgate.sql`insert into workgate.users ${workgate.sql({ id: user, name: 'Ada', email: 'ada@example.org' })}`

/** A transaction may keep others from putting in order what is kept: then it is not, until they have ended. */
async function recount(project: string, line: string) {
  const wrong = await workgate.sql
    .begin(async (sql) => {
      await sql`set local lock_timeout = 50`
      // What is left of a project that is gone goes when somebody compacts.
      await sql`select workgate.compact_tallies(${project})`
      return sql`select * from workgate.recount(${project})`
    })
    .catch((error: { code?: string }) => {
      assert.equal(error.code, '55P03', line)
      return []
    })
  assert.deepEqual([...wrong], [], `after ${line}`)
}

async function play(script: string, project: string, level: string, inOrder: boolean) {
  const clients: Record<string, Sql> = { a: openClient(workgate.url), b: openClient(workgate.url) }
  const open = new Set<string>()
  for (const line of script.split(', ')) {
    const [who, what] = [line.slice(0, 1), line.slice(2)]
    if (!open.has(who)) await clients[who]!.unsafe(`begin isolation level ${level}`)
    open.add(who)
    try {
      await steps[what]!(clients[who]!, project)
    } catch (error) {
      // What would have to come before the other, and cannot: then it does not come at all.
      assert.equal((error as { code?: string }).code, '40001', line)
      await clients[who]!`rollback`
    }
    if (what === 'commits') open.delete(who)
    if (inOrder) await recount(project, line)
  }
  for (const client of Object.values(clients)) await client.end()
}

let projects = 0
// Serializable transactions see what those with repeatable read see.
const isolations = ['read committed', 'repeatable read', ...(run().thorough ? ['serializable'] : [])]
const levels = isolations.flatMap((level) => [
  [level, level, false] as const,
  [`${level}, put in order at each step`, level, true] as const,
])
for (const [name, level, inOrder] of levels) {
  for (const [claim, script] of claims) {
    test(`${name}: ${claim}`, async () => {
      const { sql } = workgate
      const project = id()
      await sql`insert into workgate.projects ${sql({ id: project, key: `I${projects++}`, name: 'Interleaved' })}`
      await sql`insert into workgate.tasks ${sql({ project_id: project, title: 'StatementKey' })}`
      await play(script, project, level, inOrder)
      await recount(project, 'the end')

      const [there] = await sql`
        select
          (select count(*) from workgate.projects where id = ${project})::integer as projects,
          (
            select coalesce(sum(e.duration_seconds), 0)
            from workgate.time_entries e
            join workgate.tasks t on t.project_id = e.project_id and t.id = e.task_id
            where e.project_id = ${project} and t.estimate_seconds is not null
          )::integer as seconds`
      const { status, body } = await workgate.send(`GET /projects/${project}/analytics/overview`, { key })
      assert.equal(status, there!['projects'] === 1 ? 200 : 404)
      if (status === 200) assert.equal(body.data.time.estimatedTaskSeconds, there!['seconds'])
    })
  }
}
