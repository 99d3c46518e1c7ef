// The history of a task: entries for each of its fields, and a task without a history.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { id, web } from '../support/data.ts'

const task = id('task', 3)
const path = `/projects/${web}/tasks/${task}/work-packet`
const { workgate, key } = await contractSuite({ data: 'basic' })

// prettier-ignore
const changes: [claim: string, set: string, changes: object][] = [
  ['a removed board and stage',     `assignee_id = null, board_id = null, stage_id = null`,   { boardId: { from: id('board', 1), to: null }, stageId: { from: id('stage', 2), to: null } }],
  ['a board and a stage',           `stage_id = '${id('stage', 1)}', board_id = '${id('board', 1)}'`, { boardId: { from: null, to: id('board', 1) }, stageId: { from: null, to: id('stage', 1) } }],
  ['an assignee, creator and parent', `assignee_id = '${id('user', 1)}', creator_id = '${id('user', 2)}', parent_id = '${id('task', 1)}'`, { assigneeId: { from: null, to: id('user', 1) }, creatorId: { from: null, to: id('user', 2) }, parentId: { from: null, to: id('task', 1) } }],
  ['a removed assignee, creator and parent', `assignee_id = null, creator_id = null, parent_id = null`, { assigneeId: { from: id('user', 1), to: null }, creatorId: { from: id('user', 2), to: null }, parentId: { from: id('task', 1), to: null } }],
  ['text, dates and an estimate',   `description = '', start_date = '2026-01-01', due_date = '2026-12-31', estimate_seconds = 0`, { description: { from: null, to: '' }, startDate: { from: null, to: '2026-01-01' }, dueDate: { from: null, to: '2026-12-31' }, estimateSeconds: { from: null, to: 0 } }],
  ['removed text, dates and estimate', `description = null, start_date = null, due_date = null, estimate_seconds = null`, { description: { from: '', to: null }, startDate: { from: '2026-01-01', to: null }, dueDate: { from: '2026-12-31', to: null }, estimateSeconds: { from: 0, to: null } }],
  ['a title, number and priority',  `title = 'New', number = 9007199254740991, priority = 'urgent'`, { title: { from: 'Three', to: 'New' }, number: { from: 3, to: 9007199254740991 }, priority: { from: 'none', to: 'urgent' } }],
  ['a completion',                  `state = 'completed', completed_at = '2026-01-01'`, { state: { from: 'open', to: 'completed' }, completedAt: { from: null, to: '2026-01-01T00:00:00.000Z' } }],
  ['a cancellation after a completion', `state = 'cancelled', cancelled_at = '2026-01-02'`, { state: { from: 'completed', to: 'cancelled' }, completedAt: { from: '2026-01-01T00:00:00.000Z', to: null }, cancelledAt: { from: null, to: '2026-01-02T00:00:00.000Z' } }],
  ['a reopening after a cancellation', `state = 'open'`, { state: { from: 'cancelled', to: 'open' }, cancelledAt: { from: '2026-01-02T00:00:00.000Z', to: null } }],
]

for (const [claim, set, expected] of changes) {
  test(`the history contains ${claim}`, async () => {
    await workgate.sql.unsafe(`update workgate.tasks set ${set} where project_id = '${web}' and id = '${task}'`)
    const { body } = await workgate.send(`GET ${path}`, { key })
    assert.deepEqual(body.data.history.items[0].changes, expected)
  })
}

const ofTask = `project_id = '${web}' and task_id = '${task}'`
// prettier-ignore
const changedLists: [claim: string, statement: string, changes: object][] = [
  ['an added tag',      `with tag as (insert into workgate.tags (project_id, name) values ('${web}', 'Ärger') returning id)
                         insert into workgate.task_tags select '${web}', '${task}', id from tag`,      { tags: { from: [], to: ['Ärger'] } }],
  ['a renamed tag',     `update workgate.tags set name = 'Freude' where name = 'Ärger'`,                { tags: { from: ['Ärger'], to: ['Freude'] } }],
  ['a removed tag',     `delete from workgate.task_tags where ${ofTask}`,                               { tags: { from: ['Freude'], to: [] } }],
  ['added watchers',    `insert into workgate.task_watchers values ('${web}', '${task}', '${id('user', 2)}'), ('${web}', '${task}', '${id('user', 1)}')`, { watcherIds: { from: [], to: [id('user', 1), id('user', 2)] } }],
  ['a removed watcher', `delete from workgate.task_watchers where ${ofTask} and user_id = '${id('user', 1)}'`, { watcherIds: { from: [id('user', 1), id('user', 2)], to: [id('user', 2)] } }],
]

for (const [claim, statement, expected] of changedLists) {
  test(`the history contains ${claim}, and a delta the task`, async () => {
    const delta = async () => {
      const [{ now }] = (await workgate.sql`select workgate.iso(clock_timestamp()) as now`) as unknown as [
        { now: string },
      ]
      return async () =>
        (await workgate.send(`GET /projects/${web}/tasks?sort=updatedAt&updatedAfter=${now}`, { key })).body.data
    }
    const changedTasks = await delta()
    await workgate.sql.unsafe(statement)
    const { body } = await workgate.send(`GET ${path}`, { key })
    const { version, history, task: shown } = body.data
    assert.deepEqual([history.items[0].version, history.items[0].changes], [version, expected])
    const { tags: _tags, watchers: _watchers, ...fields } = shown
    assert.deepEqual(await changedTasks(), [fields])
  })
}

test('a comment whose files change gets a new updatedAt', async () => {
  const [{ now }] = (await workgate.sql`select workgate.iso(clock_timestamp()) as now`) as unknown as [{ now: string }]
  await workgate.sql`delete from workgate.comment_files where project_id = ${web} and name = 'a.png'`
  const { body } = await workgate.send(`GET /projects/${web}/comments/${id('comment', 2)}`, { key })
  assert.ok(body.data.updatedAt >= now)
})

test('a task without a history has no last change', async () => {
  await workgate.sql`delete from workgate.task_history where project_id = ${web} and task_id = ${task}`
  const { body } = await workgate.send(`GET ${path}`, { key })
  assert.deepEqual(body.data.history, { items: [], truncated: false })
  const { body: verification } = await workgate.send(`GET ${path}/verification?state=open`, { key })
  assert.deepEqual([verification.data.verified, verification.data.lastChange], [true, null])
})
