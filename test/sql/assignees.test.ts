// Several assignees of a task: whichever column is written, both agree, and every assignee is a member of the project.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { id, insertData, web } from '../support/data.ts'
import { suiteDatabase } from '../support/suite-database.ts'

const { sql } = await suiteDatabase(insertData)
const [ada, grace, anders, stranger] = [1, 2, 3, 5].map((n) => id('user', n)) as [string, string, string, string]
const [task] = [id('task', 2)]

const assignees = async () => {
  const [row] =
    await sql`select assignee_id, assignee_ids, workgate.assignees_of(t.assignee_id, t.assignee_ids) as all from workgate.tasks t where id = ${task} and project_id = ${web}`
  return { first: row!['assignee_id'], several: row!['assignee_ids'], all: row!['all'] }
}
const assign = (values: object) =>
  sql`update workgate.tasks set ${sql(values)} where id = ${task} and project_id = ${web}`

// prettier-ignore
const written: [claim: string, before: string[], change: object, after: string[]][] = [
  ['a list',                                   [],              { assignee_ids: [ada, grace] },                    [ada, grace]],
  ['a list of one',                            [],              { assignee_ids: [grace] },                         [grace]],
  ['an empty list',                            [ada, grace],    { assignee_ids: [] },                              []],
  ['a list with duplicates and nulls',         [],              { assignee_ids: [ada, null, grace, ada] },         [ada, grace]],
  ['another order',                            [ada, grace],    { assignee_ids: [grace, ada] },                    [grace, ada]],
  ['both columns',                             [ada, grace],    { assignee_id: grace, assignee_ids: [grace, anders] }, [grace, anders]],
  ['another first one',                        [ada, grace],    { assignee_id: anders },                           [anders, grace]],
  ['one of them as the first one',             [ada, grace],    { assignee_id: grace },                            [grace]],
  ['nobody',                                   [ada, grace],    { assignee_id: null },                             []],
  ['only the first one',                       [ada, grace],    { assignee_ids: null },                            [ada]],
]

describe('an update with', () => {
  for (const [claim, before, change, after] of written)
    test(claim, async () => {
      await assign({ assignee_id: before[0] ?? null, assignee_ids: before })
      await assign(change)
      assert.deepEqual(await assignees(), {
        first: after[0] ?? null,
        several: after.length > 1 ? after : null,
        all: after,
      })
    })
})

test('an insert with a list has its first one as the assignee', async () => {
  const [row] =
    await sql`insert into workgate.tasks ${sql({ project_id: web, title: 'x', assignee_ids: [grace, ada] })} returning assignee_id, assignee_ids`
  assert.deepEqual({ ...row }, { assignee_id: grace, assignee_ids: [grace, ada] })
})

test('columns that contradict each other are refused', async () => {
  await assign({ assignee_id: null })
  const refused = { code: '23514', constraint_name: 'tasks_assignees_begin_with_assignee' }
  await assert.rejects(assign({ assignee_id: ada, assignee_ids: [anders, grace] }), refused)
  await assign({ assignee_id: ada })
  await assert.rejects(assign({ assignee_id: null, assignee_ids: [anders, grace] }), refused)
  await assert.rejects(sql`insert into workgate.tasks ${sql({ project_id: web, title: 'x', assignee_id: ada, assignee_ids: [grace, ada] })}`, refused) // prettier-ignore
})

describe('every assignee is a member', () => {
  const refused = { code: '23503', constraint_name: 'tasks_assignees_are_members' }
  const remove = (user: string) =>
    sql`delete from workgate.project_members where project_id = ${web} and user_id = ${user}`

  test('when a task is assigned', () => assert.rejects(assign({ assignee_ids: [ada, stranger] }), refused))

  test('when a member is removed', async () => {
    await assign({ assignee_ids: [ada, anders] })
    await assert.rejects(remove(anders), refused)
    await assign({ assignee_ids: null })
    await sql.begin(async (sql) => {
      await sql`delete from workgate.project_members where project_id = ${web} and user_id = ${anders}`
      await assert.rejects(sql.savepoint((sql) => sql`update workgate.tasks set assignee_ids = ${[ada, anders]} where id = ${task}`), refused) // prettier-ignore
      await sql`insert into workgate.project_members (project_id, user_id) values (${web}, ${anders})`
    })
  })

  test('when both happen at once', async () => {
    await assign({ assignee_ids: null })
    const other = await sql.reserve()
    const [session] = await other`select pg_backend_pid() as pid`
    await other`begin`
    await other`update workgate.tasks set assignee_ids = ${[ada, anders]} where id = ${task} and project_id = ${web}`
    const removed = remove(anders).then(
      () => 'removed',
      (error: { constraint_name?: string }) => error.constraint_name,
    )
    // The removal waits for the assignment.
    for (let waits = 0; waits === 0; )
      [{ waits }] = (await sql`select count(*)::integer as waits from pg_stat_activity where ${session!['pid']} = any (pg_blocking_pids(pid))`) as unknown as [{ waits: number }] // prettier-ignore
    await other`commit`
    other.release()
    assert.equal(await removed, 'tasks_assignees_are_members')
  })

  test('and a project can be deleted with all of them', async () => {
    await sql.begin(async (sql) => {
      await sql`insert into workgate.projects (id, key, name) values (${id('project', 77)}, 'GONE', 'Gone')`
      await sql`insert into workgate.project_members (project_id, user_id) values (${id('project', 77)}, ${ada}), (${id('project', 77)}, ${grace})`
      await sql`insert into workgate.tasks (project_id, title, assignee_ids) values (${id('project', 77)}, 'x', ${[ada, grace]})`
      await sql`delete from workgate.projects where id = ${id('project', 77)}`
    })
    assert.deepEqual([...(await sql`select from workgate.tasks where project_id = ${id('project', 77)}`)], [])
  })
})

test('the history has all assignees before and after, and names the field only if there are several', async () => {
  await assign({ assignee_ids: null, assignee_id: null })
  const last = async () => (await sql`select changes from workgate.task_history where project_id = ${web} and task_id = ${task} order by version desc limit 1`)[0]!['changes'] // prettier-ignore
  await assign({ assignee_id: ada })
  assert.deepEqual(await last(), { assigneeId: { from: null, to: ada } })
  await assign({ assignee_ids: [ada, grace] })
  assert.deepEqual(await last(), { assigneeIds: { from: [ada], to: [ada, grace] } })
  await assign({ assignee_ids: [grace] })
  assert.deepEqual(await last(), {
    assigneeId: { from: ada, to: grace },
    assigneeIds: { from: [ada, grace], to: [grace] },
  })
})
