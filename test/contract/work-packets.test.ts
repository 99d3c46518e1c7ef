// Work packets: their contents, the changes that their digest reflects, and the history of a task.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, web } from '../support/data.ts'
import { inTurn } from '../support/places.ts'

const { workgate, get } = await contractSuite({ data: 'basic' })

const task = id('task', 10)
const parent = id('task', 1)
const child = id('task', 11)
const empty = id('task', 2)
/** Makes ids of tags, comments, files, documents and time entries. */
const other = (n: number) => `00000000-0000-7000-8100-${String(n).padStart(12, '0')}`

const pathOf = (taskId = task, projectId = web) => `/projects/${projectId}/tasks/${taskId}/work-packet`
const packetOf = async (taskId = task) => {
  const { status, body } = await get(pathOf(taskId))
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}
const change = (statement: string) => workgate.sql.unsafe(statement)

async function insertRelatedRows() {
  const times = "'2026-02-01T10:00:00.001Z', '2026-02-02T10:00:00.002Z'"
  await change(`select workgate.add_field('points', 'number'), workgate.add_field('sprint', 'text')`)
  await change(`
    insert into workgate.tasks (project_id, id, number, title, description, stage_id, parent_id, assignee_id, creator_id,
      priority, start_date, due_date, estimate_seconds, created_at)
    values ('${web}', '${task}', 10, 'Ten', 'The "one" of 😀', '${id('stage', 2)}', '${parent}', '${id('user', 2)}', '${id('user', 1)}',
      'high', '2026-02-01', '2026-03-01', 3600, '2026-02-01T10:00:00.001Z');
    insert into workgate.tasks (project_id, id, number, title, stage_id, parent_id, assignee_id, state, completed_at)
    values ('${web}', '${child}', 12, 'Child', '${id('stage', 3)}', '${task}', '${id('user', 4)}', 'completed', '2026-02-03T00:00:00Z'),
      ('${web}', '${id('task', 12)}', 11, 'First child', null, '${task}', null, 'open', null);
    insert into workgate.tags (project_id, id, name, color) values
      ('${web}', '${other(1)}', 'urgent', '#ff0000'), ('${web}', '${other(2)}', 'Zebra', null), ('${web}', '${other(3)}', 'unused', null);
    insert into workgate.task_tags values ('${web}', '${task}', '${other(1)}'), ('${web}', '${task}', '${other(2)}');
    insert into workgate.task_watchers values ('${web}', '${task}', '${id('user', 2)}'), ('${web}', '${task}', '${id('user', 1)}');
    insert into workgate.comments (project_id, id, task_id, author_id, body, created_at, updated_at) values
      ('${web}', '${other(1)}', '${task}', '${id('user', 1)}', 'Hello', ${times}),
      ('${web}', '${other(2)}', '${task}', null, 'Edited since', '2026-01-01', '2026-02-03T00:00:00Z'),
      ('${web}', '${other(3)}', '${empty}', null, 'Elsewhere', ${times});
    insert into workgate.files (project_id, id, comment_id, name, mime_type, size_bytes, sha256, url, created_at) values
      ('${web}', '${other(1)}', '${other(1)}', 'old.png', 'image/png', 9007199254740991, '${'a'.repeat(64)}', 'https://x', '2026-02-01'),
      ('${web}', '${other(2)}', '${other(2)}', 'new.png', 'image/png', 0, '${'b'.repeat(64)}', 'https://x', '2026-02-02');
    insert into workgate.files (project_id, id, task_id, name, mime_type, url, created_at) values
      ('${web}', '${other(3)}', '${task}', 'plan.png', 'image/png', 'https://x', '2026-02-03');
    insert into workgate.documents (project_id, id, path, title, task_id, author_id, markdown, created_at, updated_at) values
      ('${web}', '${other(1)}', 'a.md', 'A', '${task}', '${id('user', 1)}', E'# Plan\\n\\ntwo words', ${times}),
      ('${web}', '${other(2)}', 'b.md', 'B', null, null, 'of the project', ${times});
    insert into workgate.time_entries (project_id, id, task_id, user_id, spent_on, started_at, ended_at, billable) values
      ('${web}', '${other(1)}', '${task}', '${id('user', 1)}', '2026-02-01', '2026-02-01T10:00Z', '2026-02-01T11:00Z', true),
      ('${web}', '${other(2)}', '${task}', '${id('user', 1)}', '2026-02-01', '2026-02-01T10:00Z', '2026-02-01T10:00:30Z', false),
      ('${web}', '${other(3)}', '${task}', '${id('user', 1)}', '2026-02-01', '2026-02-01T10:00Z', null, true)`)
  // In another project, the same ids belong to other rows.
  await change(`
    insert into workgate.tasks (project_id, id, title) values ('${app}', '${task}', 'Twin'), ('${app}', '${parent}', 'Twin');
    insert into workgate.tasks (project_id, title, parent_id) values ('${app}', 'Twin', '${task}');
    insert into workgate.boards (project_id, id, name) values ('${app}', '${id('board', 1)}', 'Twin');
    insert into workgate.stages (project_id, id, board_id, name, category) values ('${app}', '${id('stage', 2)}', '${id('board', 1)}', 'Twin', 'done');
    insert into workgate.tags (project_id, id, name) values ('${app}', '${other(1)}', 'Twin'), ('${app}', '${other(4)}', 'Twin of none');
    insert into workgate.task_tags values ('${app}', '${task}', '${other(1)}'), ('${app}', '${task}', '${other(4)}');
    insert into workgate.task_watchers values ('${app}', '${task}', '${id('user', 5)}');
    insert into workgate.comments (project_id, id, task_id, body) values ('${app}', '${other(1)}', '${task}', 'Twin');
    insert into workgate.files (project_id, id, comment_id, name, mime_type, size_bytes, sha256, url) values
      ('${app}', '${other(1)}', '${other(1)}', 'twin.png', 'image/png', 1, '${'c'.repeat(64)}', 'https://x');
    insert into workgate.documents (project_id, id, path, title, task_id, markdown) values ('${app}', '${other(1)}', 'twin.md', 'Twin', '${task}', '');
    insert into workgate.time_entries (project_id, id, task_id, user_id, spent_on, started_at, ended_at) values
      ('${app}', '${other(1)}', '${task}', '${id('user', 5)}', '2026-02-01', '2026-02-01T10:00Z', '2026-02-01T11:00Z');
    update workgate.tasks set title = 'Twin again' where project_id = '${app}' and id = '${task}'`)
  await change(
    `update workgate.tasks set title = 'Task ten', due_date = '2026-03-02' where project_id = '${web}' and id = '${task}'`,
  )
}

await insertRelatedRows()

describe('a packet', () => {
  test('contains everything that is stored about the task', async () => {
    const packet = await packetOf()
    const { updatedAt } = packet.task
    const [second, first] = packet.history.items
    assert.deepEqual(packet, {
      task: {
        id: task,
        projectId: web,
        number: 10,
        reference: 'WEB-10',
        title: 'Task ten',
        description: 'The "one" of 😀',
        state: 'open',
        priority: 'high',
        boardId: id('board', 1),
        stageId: id('stage', 2),
        parentId: parent,
        assigneeId: id('user', 2),
        assigneeIds: [id('user', 2)],
        creatorId: id('user', 1),
        descriptionFormat: null,
        type: null,
        startDate: '2026-02-01',
        dueDate: '2026-03-02',
        estimateSeconds: 3600,
        completedAt: null,
        cancelledAt: null,
        externalId: null,
        externalUrl: null,
        fields: {},
        createdAt: '2026-02-01T10:00:00.001Z',
        updatedAt,
        version: 2,
        tags: [
          { id: other(1), name: 'urgent', color: '#ff0000' },
          { id: other(2), name: 'Zebra', color: null },
        ],
        watchers: [
          { id: id('user', 1), name: 'Ada Lovelace' },
          { id: id('user', 2), name: 'grace Hopper' },
        ],
      },
      project: { id: web, key: 'WEB', name: 'Web site', status: 'active' },
      board: { id: id('board', 1), name: 'Main', archived: false },
      stage: { id: id('stage', 2), name: 'Doing', category: 'active', position: 1 },
      parent: { id: parent, number: 1, reference: 'WEB-1', title: 'One', state: 'open' },
      subtasks: {
        total: 2,
        completed: 1,
        items: [
          {
            id: id('task', 12),
            number: 11,
            reference: 'WEB-11',
            title: 'First child',
            state: 'open',
            stageId: null,
            assigneeId: null,
            completedAt: null,
          },
          {
            id: child,
            number: 12,
            reference: 'WEB-12',
            title: 'Child',
            state: 'completed',
            stageId: id('stage', 3),
            assigneeId: id('user', 4),
            completedAt: '2026-02-03T00:00:00.000Z',
          },
        ],
        truncated: false,
      },
      comments: { total: 2, lastAt: '2026-02-03T00:00:00.000Z' },
      files: [
        { name: 'plan.png', sizeBytes: null, sha256: null },
        { name: 'new.png', sizeBytes: 0, sha256: 'b'.repeat(64) },
        { name: 'old.png', sizeBytes: 9007199254740991, sha256: 'a'.repeat(64) },
      ],
      filesTruncated: false,
      documents: [
        {
          id: other(1),
          projectId: web,
          path: 'a.md',
          title: 'A',
          taskId: task,
          authorId: id('user', 1),
          sizeBytes: 17,
          wordCount: 4,
          headings: [{ level: 1, text: 'Plan' }],
          sha256: createHash('sha256').update('# Plan\n\ntwo words').digest('hex'),
          revision: 1,
          createdAt: '2026-02-01T10:00:00.001Z',
          updatedAt: '2026-02-02T10:00:00.002Z',
        },
      ],
      documentsTruncated: false,
      time: { trackedSeconds: 3630, billableSeconds: 3600, entries: 2, running: 1 },
      history: {
        items: [
          {
            version: 2,
            at: second.at,
            channel: 'sql',
            actor: { role: 'workgate' },
            changes: {
              title: { from: 'Ten', to: 'Task ten' },
              dueDate: { from: '2026-03-01', to: '2026-03-02' },
            },
          },
          {
            version: 1,
            at: first.at,
            channel: 'sql',
            actor: { role: 'workgate' },
            changes: { state: { from: null, to: 'open' } },
          },
        ],
        truncated: false,
      },
      version: 2,
      digest: packet.digest,
    })
    assert.match(packet.digest, /^sha256:[0-9a-f]{64}$/)
    assert.equal(second.at, updatedAt)
  })

  test('has null or empty lists where there are no rows', async () => {
    await change(`insert into workgate.tasks (project_id, id, title) values ('${web}', '${id('task', 20)}', 'Bare')`)
    const { board, stage, parent, subtasks, comments, files, documents, time } = await packetOf(id('task', 20))
    assert.deepEqual(
      { board, stage, parent, subtasks, comments, files, documents, time },
      {
        board: null,
        stage: null,
        parent: null,
        subtasks: { total: 0, completed: 0, items: [], truncated: false },
        comments: { total: 0, lastAt: null },
        files: [],
        documents: [],
        time: { trackedSeconds: 0, billableSeconds: 0, entries: 0, running: 0 },
      },
    )
  })

  test('is complete with 50 of everything; with 51 it is marked as truncated and has the newest', async () => {
    const of = id('task', 30)
    const insert = (from: number, to: number) =>
      change(`
        insert into workgate.tasks (project_id, number, title, parent_id, state, completed_at)
        select '${web}', 300 + n, 'Child ' || n, '${of}', 'completed', now() from generate_series(${from}, ${to}) n;
        insert into workgate.files (project_id, comment_id, name, mime_type, size_bytes, sha256, url, created_at)
        select '${web}', '${other(30)}', 'file ' || n, 'a/b', 1, repeat('c', 64), 'https://x', timestamptz '2026-01-01Z' + n * interval '1 day'
        from generate_series(${from}, ${to}) n;
        insert into workgate.documents (project_id, path, title, task_id, markdown, updated_at)
        select '${web}', 'cut/' || n, 'Document ' || n, '${of}', '', timestamptz '2026-01-01Z' + n * interval '1 day'
        from generate_series(${from}, ${to}) n;
        do $$ begin
          for n in ${from} .. ${to} loop update workgate.tasks set title = 'Title ' || n where id = '${of}'; end loop;
        end $$`)
    const summary = async () => {
      const { subtasks, files, filesTruncated, documents, documentsTruncated, history, version } = await packetOf(of)
      return {
        subtasks: [subtasks.total, subtasks.completed, subtasks.items.length, subtasks.truncated],
        firstChild: subtasks.items[0].title,
        files: [files.length, filesTruncated, files[0].name],
        documents: [documents.length, documentsTruncated, documents[0].title],
        history: [history.items.length, history.truncated, history.items[0].changes.title.to],
        version,
      }
    }
    await change(`
      insert into workgate.tasks (project_id, id, title) values ('${web}', '${of}', 'Many');
      insert into workgate.comments (project_id, id, task_id, body) values ('${web}', '${other(30)}', '${of}', 'x')`)
    await insert(1, 49)
    await insert(50, 50)
    assert.deepEqual(await summary(), {
      subtasks: [50, 50, 50, false],
      firstChild: 'Child 1',
      files: [50, false, 'file 50'],
      documents: [50, false, 'Document 50'],
      history: [50, true, 'Title 50'],
      version: 51,
    })
    await insert(51, 51)
    assert.deepEqual(await summary(), {
      subtasks: [51, 51, 50, true],
      firstChild: 'Child 1',
      files: [50, true, 'file 51'],
      documents: [50, true, 'Document 51'],
      history: [50, true, 'Title 51'],
      version: 52,
    })
  })
})

const where = `where project_id = '${web}' and id =`
const ofTask = `where project_id = '${web}' and task_id = '${task}'`

// prettier-ignore
const reflected: [what: string, statement: string][] = [
  ['the title',                  `update workgate.tasks set title = 'Other' ${where} '${task}'`],
  ["a tag's name",               `update workgate.tags set name = 'fault' ${where} '${other(2)}'`],
  ["a tag's color",              `update workgate.tags set color = '#000000' ${where} '${other(2)}'`],
  ["a watcher's name",           `update workgate.users set name = 'Ada King' where id = '${id('user', 1)}'`],
  ["the project's name",         `update workgate.projects set name = 'Pages' where id = '${web}'`],
  ["the project's status",       `update workgate.projects set status = 'archived' where id = '${web}'`],
  ["the board's name",           `update workgate.boards set name = 'First' ${where} '${id('board', 1)}'`],
  ["the stage's name",           `update workgate.stages set name = 'To be done' ${where} '${id('stage', 2)}'`],
  ["the parent's state",         `update workgate.tasks set state = 'cancelled' ${where} '${parent}'`],
  ["a subtask's stage",          `update workgate.tasks set stage_id = '${id('stage', 2)}' ${where} '${child}'`],
  ['an added comment',           `insert into workgate.comments (project_id, id, task_id, body) values ('${web}', '${other(9)}', '${task}', 'x')`],
  ['a deleted comment',          `delete from workgate.comments ${where} '${other(9)}'`],
  ['an added file',              `insert into workgate.files (project_id, comment_id, name, mime_type, size_bytes, sha256, url) values ('${web}', '${other(1)}', 'x', 'a/b', 1, '${'d'.repeat(64)}', 'https://x')`],
  ["a file's size",              `update workgate.files set size_bytes = size_bytes - 1 ${where} '${other(1)}'`],
  ['an added document',          `update workgate.documents set task_id = '${task}' ${where} '${other(2)}'`],
  ["a document's text",          `update workgate.documents set markdown = 'other words here' ${where} '${other(2)}'`],
  ['a deleted document',         `delete from workgate.documents ${where} '${other(2)}'`],
  ['a time entry that ends',     `update workgate.time_entries set ended_at = '2026-02-01T10:00:01Z' ${where} '${other(3)}'`],
  ['a history entry',            `update workgate.task_history set channel = 'import' ${ofTask} and version = 1`],
]

// prettier-ignore
const ignored: [what: string, ...statements: string[]][] = [
  ['another task',                     `update workgate.tasks set title = 'x', state = 'completed' ${where} '${id('task', 3)}'`],
  ["another task's tag",               `insert into workgate.task_tags values ('${web}', '${empty}', '${other(3)}')`],
  ['a comment on another task',        `update workgate.comments set body = 'x' ${where} '${other(3)}'`],
  ['a document of the project',        `insert into workgate.documents (project_id, path, title, markdown) values ('${web}', 'x', 'x', 'x')`],
  ["the project's description",        `update workgate.projects set description = 'x' where id = '${web}'`],
  ['another stage',                    `update workgate.stages set name = 'x' ${where} '${id('stage', 3)}'`],
  ['an update to the same value',      `update workgate.tasks set title = title ${where} '${task}'`],
  ['a change that is rolled back',     `do $$ begin update workgate.tasks set title = 'never' ${where} '${task}'; raise exception 'x'; exception when others then null; end $$`],
  ['rows that move within their tables', `update workgate.task_tags set tag_id = tag_id`, `update workgate.task_watchers set user_id = user_id`, `cluster workgate.tasks using tasks_pkey`],
]

describe('the digest', () => {
  for (const [what, statement] of reflected) {
    test(`changes with ${what}`, async () => {
      const { digest } = await packetOf()
      assert.equal((await packetOf()).digest, digest)
      await change(statement)
      assert.notEqual((await packetOf()).digest, digest)
    })
  }

  for (const [what, ...statements] of ignored) {
    test(`does not change with ${what}`, async () => {
      const { digest } = await packetOf()
      for (const statement of statements) await change(statement)
      assert.equal((await packetOf()).digest, digest)
    })
  }
})

// prettier-ignore
const recorded: [claim: string, set: string, changes: object][] = [
  ['a removed board and stage',     `assignee_id = null, board_id = null, stage_id = null`,   { boardId: { from: id('board', 1), to: null }, stageId: { from: id('stage', 2), to: null } }],
  ['a board and a stage',           `stage_id = '${id('stage', 1)}', board_id = '${id('board', 1)}'`, { boardId: { from: null, to: id('board', 1) }, stageId: { from: null, to: id('stage', 1) } }],
  ['an assignee, creator and parent', `assignee_id = '${id('user', 1)}', creator_id = '${id('user', 2)}', parent_id = '${id('task', 1)}'`, { assigneeId: { from: null, to: id('user', 1) }, creatorId: { from: null, to: id('user', 2) }, parentId: { from: null, to: id('task', 1) } }],
  ['a removed assignee, creator and parent', `assignee_id = null, creator_id = null, parent_id = null`, { assigneeId: { from: id('user', 1), to: null }, creatorId: { from: id('user', 2), to: null }, parentId: { from: id('task', 1), to: null } }],
  ['text, dates and an estimate',   `description = '', start_date = '2026-01-01', due_date = '2026-12-31', estimate_seconds = 0`, { description: { from: null, to: '' }, startDate: { from: null, to: '2026-01-01' }, dueDate: { from: null, to: '2026-12-31' }, estimateSeconds: { from: null, to: 0 } }],
  ['removed text, dates and estimate', `description = null, start_date = null, due_date = null, estimate_seconds = null`, { description: { from: '', to: null }, startDate: { from: '2026-01-01', to: null }, dueDate: { from: '2026-12-31', to: null }, estimateSeconds: { from: 0, to: null } }],
  ['own fields',                    `fields = '{"points": 3, "sprint": "A"}'`, { fields: { from: {}, to: { points: 3, sprint: 'A' } } }],
  ['changed own fields',            `fields = fields - 'sprint' || '{"points": 5}'`, { fields: { from: { points: 3, sprint: 'A' }, to: { points: 5 } } }],
  ['an external id and URL', `external_id = 'a#1', external_url = 'https://example.org/1'`, { externalId: { from: null, to: 'a#1' }, externalUrl: { from: null, to: 'https://example.org/1' } }],
  ['a title, number and priority',  `title = 'New', number = 9000000000000000, priority = 'urgent'`, { title: { from: 'Three', to: 'New' }, number: { from: 50, to: 9000000000000000 }, priority: { from: 'none', to: 'urgent' } }],
  ['a completion',                  `state = 'completed', completed_at = '2026-01-01'`, { state: { from: 'open', to: 'completed' }, completedAt: { from: null, to: '2026-01-01T00:00:00.000Z' } }],
  ['a cancellation after a completion', `state = 'cancelled', cancelled_at = '2026-01-02'`, { state: { from: 'completed', to: 'cancelled' }, completedAt: { from: '2026-01-01T00:00:00.000Z', to: null }, cancelledAt: { from: null, to: '2026-01-02T00:00:00.000Z' } }],
  ['a reopening after a cancellation', `state = 'open'`, { state: { from: 'cancelled', to: 'open' }, cancelledAt: { from: '2026-01-02T00:00:00.000Z', to: null } }],
]

describe('history', () => {
  const path = pathOf(id('task', 50))
  before(() =>
    change(`
      insert into workgate.tasks (project_id, id, number, title, stage_id)
      values ('${web}', '${id('task', 50)}', 50, 'Three', '${id('stage', 2)}')`),
  )

  for (const [claim, set, expected] of recorded) {
    test(`contains ${claim}`, async () => {
      await change(`update workgate.tasks set ${set} ${where} '${id('task', 50)}'`)
      assert.deepEqual((await get(path)).body.data.history.items[0].changes, expected)
    })
  }

  test('may be missing: then there is no last change', async () => {
    await change(`delete from workgate.task_history where task_id = '${id('task', 50)}'`)
    assert.deepEqual((await get(path)).body.data.history, { items: [], truncated: false })
    const { data } = (await get(`${path}/verification?state=open`)).body
    assert.deepEqual([data.verified, data.lastChange], [true, null])
  })

  test('shows the channel and actor that a writer sets', async () => {
    await inTurn(
      workgate.sql,
      `set local workgate.channel = 'import'`,
      `set local workgate.actor = '{"keyId": "k", "size": 1e2, "__proto__": {"b": 1, "a": 0.1}}'`,
      `update workgate.tasks set title = 'By import' ${where} '${empty}'`,
    )
    const { channel, actor } = (await packetOf(empty)).history.items[0]
    assert.deepEqual(
      [channel, JSON.stringify(actor)],
      ['import', '{"size":100,"keyId":"k","__proto__":{"a":0.1,"b":1}}'],
    )
  })
})
