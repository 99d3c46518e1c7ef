// Transactions side by side, step by step: whatever the order in which they see and commit, nothing is counted that is
// not there.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chooser } from '../support/random.ts'
import { openWorkgate, type Sql, type Workgate } from '../support/workgate.ts'
import { openClient } from './clients.ts'

type Step = (sql: Sql, project: string) => Promise<unknown>

const deleteTasks: Step = (sql, project) => sql`delete from workgate.tasks where project_id = ${project}`
const deleteProject: Step = (sql, project) => sql`delete from workgate.projects where id = ${project}`
const complete: Step = (sql, project) =>
  sql`update workgate.tasks set state = 'completed' where project_id = ${project}`
const estimate: Step = (sql, project) =>
  sql`update workgate.tasks set estimate_seconds = 60 where project_id = ${project}`
const spend: Step = (sql, project) => sql`
  insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
  select project_id, id, ${user}, '2026-01-01', '2026-01-01T08:00:00Z', '2026-01-01T09:00:00Z'
  from workgate.tasks where project_id = ${project}`

/** The first transaction has seen what there is before the second does its steps and commits. */
const claims: [claim: string, second: Step[], first: Step[]][] = [
  ['a project whose tasks another deleted meanwhile leaves nothing behind', [deleteTasks], [deleteProject]],
  ['time is spent while the task is estimated', [spend], [estimate]],
  ['a task is estimated while time is spent', [estimate], [spend]],
  ['a task is completed while it gets its time', [estimate, complete], [spend, spend]],
  ['time is spent while the task is completed', [estimate, spend], [spend]],
]

const { id } = chooser(99)
const user = id()
let workgate: Workgate
let key: string
before(async () => {
  workgate = await openWorkgate({ LOG_LEVEL: 'error' })
  key = await workgate.issueKey('all')
  await workgate.sql`insert into workgate.users ${workgate.sql({ id: user, name: 'Ada', email: 'ada@example.org' })}`
})
after(() => workgate.close())

let projects = 0
for (const level of ['read committed', 'repeatable read', 'serializable']) {
  for (const [claim, second, first] of claims) {
    test(`${level}: ${claim}`, async () => {
      const { sql } = workgate
      const project = id()
      await sql`insert into workgate.projects ${sql({ id: project, key: `I${projects++}`, name: 'Interleaved' })}`
      await sql`insert into workgate.tasks ${sql({ project_id: project, title: 'Wanted' })}`
      const [left, right] = [openClient(workgate.url), openClient(workgate.url)]
      await left.unsafe(`begin isolation level ${level}`)
      await left`select from workgate.projects`
      await right.unsafe(`begin isolation level ${level}`)
      for (const step of second) await step(right, project)
      await right`commit`
      try {
        for (const step of first) await step(left, project)
        await left`commit`
      } catch (error) {
        // What would have to come before the other, and cannot.
        assert.equal((error as { code?: string }).code, '40001')
        await left`rollback`
      }
      await Promise.all([left.end(), right.end()])

      assert.deepEqual([...(await sql`select * from workgate.recount(${project}, false)`)], [])
      const [there] = await sql`
        select
          (select count(*) from workgate.projects where id = ${project})::integer as projects,
          (select coalesce(sum(duration_seconds), 0) from workgate.time_entries where project_id = ${project})::integer as seconds`
      const { status, body } = await workgate.send(`GET /projects/${project}/analytics/overview`, { key })
      assert.equal(status, there!['projects'] === 1 ? 200 : 404)
      if (status === 200) assert.equal(body.data.time.estimatedTaskSeconds, there!['seconds'])
    })
  }
}
