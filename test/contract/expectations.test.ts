// Every expectation of a task: not met, met while two instances wait, one for the task and one for a hundred, with the
// writer and the time of the change, and on the deleted task.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { until } from '../faults/fixtures/embedded.ts'
import { openInstance, patient } from '../freshness/instances.ts'
import { operations } from '../docs/document.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { id, web } from '../support/data.ts'
import { inTurn } from '../support/places.ts'

const { workgate, sql, key, get } = await contractSuite({ data: 'basic', key: { name: 'reader' } })
const other = patient(openInstance(workgate.url))
after(() => other.close())

for (const [name, type] of [
  ['sprint', 'text'],
  ['points', 'number'],
  ['billed', 'boolean'],
  ['labels', 'list'],
] as const)
  // prettier-ignore
  await sql`select workgate.add_field(${name}, ${type})`

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const [ada, grace] = [id('user', 1), id('user', 2)]
const tagged = (name: string, t: string) => `
  insert into workgate.tags (project_id, name) values ('${web}', '${name}') on conflict do nothing;
  insert into workgate.task_tags select project_id, '${t}', id from workgate.tags where project_id = '${web}' and name = '${name}'`
const set = (values: string) => (t: string) => `update workgate.tasks set ${values} where id = '${t}'`
const comment = (author: string, body: string) => (t: string) =>
  `insert into workgate.comments (project_id, task_id, author_id, body) values ('${web}', '${t}', '${author}', '${body}')`
const spend = (seconds: number) => (t: string) => `
  insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
  values ('${web}', '${t}', '${ada}', '2026-02-01', '2026-02-01T10:00Z', '2026-02-01T10:00Z'::timestamptz + interval '${seconds} seconds')`
const write = (path: string, markdown: string) => (t: string) => `
  insert into workgate.documents (project_id, path, title, task_id, markdown) values ('${web}', '${path}', 'Report', '${t}', '${markdown}')
  on conflict (project_id, path) do update set markdown = excluded.markdown, task_id = excluded.task_id`
const attach = (sha: string) => (t: string) => `
  insert into workgate.files (project_id, comment_id, name, mime_type, size_bytes, sha256, url)
  select project_id, id, 'a.png', 'image/png', 1, '${sha}', 'https://files.example/a.png' from workgate.comments where task_id = '${t}'`

type Statement = (taskId: string) => string
type Shown = string | number | boolean | null

/** The checks: the name, the expected value, and the actual one before and after the change. */
type Row = [
  query: string,
  before: Statement[],
  change: Statement,
  ...checks: [name: string, expected: Shown, before: Shown, after: Shown][],
]

// prettier-ignore
const rows: Row[] = [
  ['state=completed', [], set(`state = 'completed'`), ['state', 'completed', 'open', 'completed']],
  ['priority=high', [], set(`priority = 'high'`), ['priority', 'high', 'none', 'high']],
  ['title=New+name', [], set(`title = 'New name'`), ['title', 'New name', 'Task', 'New name']],
  [`descriptionSha256=${sha256('Text – é').toUpperCase()}`, [], set(`description = 'Text – é'`), ['descriptionSha256', sha256('Text – é'), null, sha256('Text – é')]],
  ['descriptionSha256=none', [set(`description = 'x'`)], set('description = null'), ['descriptionSha256', 'none', sha256('x'), null]],
  ['type=Bug', [], set(`type = 'bug'`), ['type', 'bug', null, 'bug']],
  ['type=none', [set(`type = 'bug'`)], set('type = null'), ['type', 'none', 'bug', null]],
  ['startDate=2026-02-01', [], set(`start_date = '2026-02-01'`), ['startDate', '2026-02-01', null, '2026-02-01']],
  ['dueDate=none', [set(`due_date = '2026-02-01'`)], set('due_date = null'), ['dueDate', 'none', '2026-02-01', null]],
  ['estimateSeconds=3600', [], set('estimate_seconds = 3600'), ['estimateSeconds', 3600, null, 3600]],
  ['estimateSeconds=none', [set('estimate_seconds = 0')], set('estimate_seconds = null'), ['estimateSeconds', 'none', 0, null]],
  ['fields.sprint=Sprint+3', [set(`fields = '{"points": 3}'`)], set(`fields = fields || '{"sprint": "Sprint 3"}'`), ['fields.sprint', 'Sprint 3', null, 'Sprint 3']],
  ['fields.sprint=5', [set(`fields = '{"sprint": "4"}'`)], set(`fields = '{"sprint": "5"}'`), ['fields.sprint', '5', '4', '5']],
  ['fields.points=5.0', [set(`fields = '{"points": 3}'`)], set(`fields = '{"points": 5}'`), ['fields.points', 5, 3, 5]],
  ['fields.points=0.5', [set(`fields = '{"points": 3}'`)], set(`fields = '{"points": 0.5}'`), ['fields.points', 0.5, 3, 0.5]],
  ['fields.points=none', [set(`fields = '{"points": 3, "billed": true}'`)], set(`fields = fields - 'points'`), ['fields.points', 'none', 3, null]],
  ['fields.billed=true', [set(`fields = '{"billed": false}'`)], set(`fields = '{"billed": true}'`), ['fields.billed', true, false, true]],
  ['fields.labels=b', [set(`fields = '{"labels": ["a"]}'`)], set(`fields = '{"labels": ["a", "b"]}'`), ['fields.labels', 'b', 'a', 'a, b']],
  ['fields.sprint=A&fields.billed=true', [], set(`fields = '{"sprint": "A", "billed": true}'`), ['fields.billed', true, null, true], ['fields.sprint', 'A', null, 'A']],
  [`boardId=${id('board', 3)}`, [], set(`board_id = '${id('board', 3)}'`), ['boardId', id('board', 3), null, id('board', 3)]],
  [`stageId=${id('stage', 2)}`, [], set(`stage_id = '${id('stage', 2)}'`), ['stageId', id('stage', 2), null, id('stage', 2)]],
  ['stageCategory=active', [set(`stage_id = '${id('stage', 1)}'`)], set(`stage_id = '${id('stage', 2)}'`), ['stageCategory', 'active', 'backlog', 'active']],
  ['parentId=WEB-1', [], set(`parent_id = '${id('task', 1)}'`), ['parentId', 'WEB-1', null, id('task', 1)]],
  ['parentId=none', [set(`parent_id = '${id('task', 1)}'`)], set('parent_id = null'), ['parentId', 'none', id('task', 1), null]],
  [`assigneeId=${grace}`, [], set(`assignee_id = '${grace}'`), ['assigneeId', grace, null, grace]],
  ['assigneeId=ADA%40example.org', [set(`assignee_id = '${grace}'`)], set(`assignee_id = '${ada}'`), ['assigneeId', 'ADA@example.org', grace, ada]],
  ['assigneeId=grace+hopper', [], set(`assignee_id = '${grace}'`), ['assigneeId', 'grace hopper', null, grace]],
  [`assigneeId=${grace}`, [set(`assignee_id = '${ada}'`)], set(`assignee_ids = '{${ada},${grace}}'`), ['assigneeId', grace, ada, grace]],
  [`assigneeIds=${ada},${grace.toUpperCase()}`, [set(`assignee_ids = '{${grace},${ada}}'`)], set(`assignee_ids = '{${ada},${grace}}'`), ['assigneeIds', `${ada},${grace}`, `${grace},${ada}`, `${ada},${grace}`]],
  [`assigneeIds=${ada}`, [set(`assignee_ids = '{${ada},${grace}}'`)], set(`assignee_ids = null`), ['assigneeIds', ada, `${ada},${grace}`, ada]],
  ['assigneeId=none', [set(`assignee_id = '${grace}'`)], set('assignee_id = null'), ['assigneeId', 'none', grace, null]],
  ['hasTag=URGENT', [(t) => tagged('billing', t)], (t) => tagged('urgent', t), ['hasTag', 'URGENT', null, 'urgent']],
  ['lacksTag=Waiting', [(t) => tagged('waiting', t)], (t) => `delete from workgate.task_tags where task_id = '${t}'`, ['lacksTag', 'Waiting', 'waiting', null]],
  ['hasWatcher=ada+lovelace', [(t) => `insert into workgate.task_watchers values ('${web}', '${t}', '${grace}')`], (t) => `insert into workgate.task_watchers values ('${web}', '${t}', '${ada}')`, ['hasWatcher', 'ada lovelace', null, ada]],
  ['minComments=2', [comment(ada, 'One')], comment(ada, 'Two'), ['minComments', 2, 1, 2]],
  ['commentBy=grace%40example.org', [comment(ada, 'One')], comment(grace, 'Two'), ['commentBy', 'grace@example.org', null, grace]],
  [`commentSha256=${sha256('Done.')}`, [comment(ada, 'done')], (t) => `update workgate.comments set body = 'Done.' where task_id = '${t}'`, ['commentSha256', sha256('Done.'), null, sha256('Done.')]],
  [`commentBy=${grace}&commentSha256=${sha256('Done.')}`, [comment(ada, 'Done.')], comment(grace, 'Done.'), ['commentBy', grace, null, grace], ['commentSha256', sha256('Done.'), null, sha256('Done.')]],
  [`fileSha256=${sha256('file')}`, [comment(ada, 'One'), attach(sha256('other'))], attach(sha256('file')), ['fileSha256', sha256('file'), null, sha256('file')]],
  ['minTimeSeconds=3600', [spend(1_800)], spend(1_801), ['minTimeSeconds', 3600, 1800, 3601]],
  ['documentPath=reports/moved.md', [() => write('reports/moved.md', 'x')(id('task', 2))], (t) => `update workgate.documents set task_id = '${t}' where path = 'reports/moved.md'`, ['documentPath', 'reports/moved.md', null, 'reports/moved.md']],
  [`documentPath=reports/both.md&documentSha256=${sha256('Final')}`, [write('reports/draft.md', 'Final')], write('reports/both.md', 'Final'), ['documentPath', 'reports/both.md', null, 'reports/both.md'], ['documentSha256', sha256('Final'), null, sha256('Final')]],
  [`documentSha256=${sha256('Text')}`, [write('reports/text.md', 'Draft')], write('reports/text.md', 'Text'), ['documentSha256', sha256('Text'), null, sha256('Text')]],
  ['completedAfter=2026-02-01', [], set(`state = 'completed', completed_at = '2026-02-01T00:00Z'`), ['completedAfter', '2026-02-01T00:00:00.000Z', null, '2026-02-01T00:00:00.000Z']],
  ['changedBy=changedBy', [], set(`title = 'x'`), ['changedBy', 'changedBy', null, 'changedBy']],
  ['changedBy=changedBy&changedAfter=2026-02-01', [], set(`title = 'x'`), ['changedBy', 'changedBy', null, 'changedBy']],
  ['claimedBy=claimant', [], (t) => `${set(`title = 'x'`)(t)}; update workgate.task_history set actor = '{"name": "claimedBy", "claimed": {"actor": {"name": "claimant"}}}' where task_id = '${t}' and version = 2`, ['claimedBy', 'claimant', null, 'claimant']],
  ['minVersion=2', [], set(`title = 'x'`), ['minVersion', 2, 1, 2]],
  ['deleted=true', [], (t) => `delete from workgate.tasks where id = '${t}'`, ['deleted', true, false, true]],
  ['hasTag=urgent&stageCategory=done&minComments=1', [(t) => tagged('urgent', t), set(`stage_id = '${id('stage', 1)}'`)], (t) => `${comment(ada, 'x')(t)}; ${set(`stage_id = '${id('stage', 3)}'`)(t)}`, ['stageCategory', 'done', 'backlog', 'done'], ['minComments', 1, 0, 1]],
]

const taskOf = (n: number) => id('task', 100 + n)
const single = (n: number, query: string) => `/projects/${web}/tasks/${taskOf(n)}/work-packet/verification?${query}`
const several = (tasks: string, query: string) => `/projects/${web}/work-packets/verification?taskIds=${tasks}&${query}`
/** Not with set_config(), which Citus does not pass on. */
const asActor = (actor: string, statements: string) =>
  inTurn(sql, `set local workgate.channel = 'import'`, `set local workgate.actor = '${actor}'`, statements)
/** The first expectation of a row is also the name of the actor who meets it. */
const nameOf = (query: string) => query.split('=')[0]!

const laterChanges: Statement = (t) => `
  insert into workgate.comments (project_id, task_id, author_id, body)
  select project_id, id, '${ada}', 'Later' from workgate.tasks where id = '${t}';
  ${set(`external_url = 'https://later.example'`)(t)}`

const waitSeconds = 30

/** Sends the request again until the service has time for it, as clients do. */
async function getPatiently(path: string) {
  for (;;) {
    const reply = await get(path)
    if (reply.status !== 503) return reply
  }
}

/** All requests wait before the first change is made, and each is ended by the change of its own row. */
async function runRows() {
  for (const [n, [, before]] of rows.entries()) {
    await sql`insert into workgate.tasks (project_id, id, title) values (${web}, ${taskOf(n)}, 'Task')`
    for (const statement of before) await asActor('before', statement(taskOf(n)))
  }
  const before = await Promise.all(rows.map(([query], n) => get(single(n, query))))
  const began = performance.now()
  const waiting = rows.map(async ([query], n) => {
    const path = single(n, `${query}&wait=${waitSeconds}`)
    const { status, body } = await other.ask('GET', path, { authorization: `Bearer ${key}` })
    return { status, body: JSON.parse(String(body)) }
  })
  const others = Array.from({ length: 99 }, (_, n) => 900_000 + n)
  const waitingForSeveral = rows.map(([query], n) =>
    getPatiently(several(`${taskOf(n)},${others}`, `${query}&minVerified=1&wait=${waitSeconds}`)),
  )
  await until('all of them wait', () => other.metric('workgate_waiters') === rows.length)
  const [clock] = await sql`select workgate.iso(workgate.present()) as now`
  for (const [n, [query, , change]] of rows.entries()) await asActor(nameOf(query), change(taskOf(n)))
  const met = await Promise.all(waiting)
  const metOfSeveral = await Promise.all(waitingForSeveral)
  assert.ok(performance.now() - began < waitSeconds * 1_000, 'every wait ends before its time is over')
  for (const n of rows.keys()) await asActor('later', laterChanges(taskOf(n)))
  const later = await Promise.all(rows.map(([query], n) => get(single(n, query))))
  await sql`delete from workgate.tasks where id = any (${rows.map((_, n) => taskOf(n))}::uuid[])`
  const deleted = await Promise.all(rows.map(([query], n) => get(single(n, query))))
  const deletedOfSeveral = await Promise.all(rows.map(([query], n) => get(several(taskOf(n), query))))
  return { start: clock!['now'] as string, before, met, metOfSeveral, later, deleted, deletedOfSeveral }
}

const ran = await runRows()

describe('an expectation', () => {
  for (const [n, [query, , , ...checks]] of rows.entries()) {
    const listed = (data: any) => data.checks.filter(({ name }: any) => checks.some((check) => check[0] === name))

    test(query, () => {
      const before = ran.before[n]!.body.data
      assert.equal(before.verified, false)
      assert.deepEqual(
        listed(before),
        checks.map(([name, expected, actual]) => ({ name, expected, actual, ok: false, by: null, at: null })),
      )
      const { status, body } = ran.met[n]!
      assert.deepEqual([status, body.data?.verified], [200, true], JSON.stringify(body))
      const claimed = nameOf(query) === 'claimedBy' && { claimed: { actor: { name: 'claimant' } } }
      const by = { channel: 'import', actor: { name: nameOf(query), ...claimed } }
      const met = listed(body.data)
      assert.deepEqual(
        met.map((check: any) => ({ ...check, at: undefined })),
        checks.map(([name, expected, , actual]) => ({ name, expected, actual, ok: true, by, at: undefined })),
      )
      for (const { at } of met) assert.ok(at >= ran.start, at)
      const ofSeveral = ran.metOfSeveral[n]!.body.data
      assert.deepEqual([ofSeveral.verified, ofSeveral.verifiedCount], [true, 1])
      assert.deepEqual(ofSeveral.tasks.find(({ taskId }: any) => taskId === taskOf(n)).checks, body.data.checks)
    })

    test(`${query} names the same change after later ones`, () => {
      const seen = new Set(checks.map(([name]) => name))
      const part = (data: any) => data.checks.filter(({ name }: any) => seen.has(name))
      assert.deepEqual(
        part(ran.later[n]!.body.data),
        part(ran.met[n]!.body.data).map((check: any) =>
          check.name === 'minComments' || check.name === 'minVersion' ? { ...check, actual: check.actual + 1 } : check,
        ),
      )
    })

    test(`${query} of the deleted task`, () => {
      const isExpected = query === 'deleted=true'
      const { status, body } = ran.deleted[n]!
      assert.deepEqual([status, body.code], isExpected ? [200, undefined] : [410, 'TASK_DELETED'])
      const { verified, tasks } = ran.deletedOfSeveral[n]!.body.data
      const [{ checks, ...task }] = tasks
      assert.deepEqual([verified, task.verified, task.taskId, task.state], [isExpected, isExpected, taskOf(n), null])
      assert.ok(task.deletion.version >= 1)
      if (isExpected) assert.deepEqual(checks, body.data.checks)
      else for (const { actual, ok } of checks) assert.deepEqual([actual, ok], [null, false])
    })
  }

  test('each is in a row', () => {
    const { query } = operations.find(({ name }) => name.endsWith('/work-packet/verification'))!
    const tested = new Set(
      rows.flatMap(([query]) => query.split('&').map((part) => nameOf(part).replace(/^fields\..*/, 'fields'))),
    )
    // The digest is tested in verification.test.ts.
    const names = query.map(({ name }) => name).filter((name) => name !== 'wait' && name !== 'digest')
    assert.deepEqual(
      names.filter((name) => !tested.has(name)),
      [],
    )
  })
})
