// workgate import: whatever a row contains, it is imported, or it is refused by its line, and ends no import.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { derivedId } from '../../src/import/derived-id.ts'
import { kinds } from '../../src/import/staged.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { createImporter } from './importing.ts'

const { workgate, sql, post } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const idOf = (name: string) => derivedId('limits', 'any', name)
const time = '2026-01-01T00:00:00Z'
const day = '2026-01-01'
const times = { createdAt: time, updatedAt: time }
const projectId = idOf('project')

// prettier-ignore
const valid: Record<string, object> = {
  user: { kind: 'user', id: idOf('user'), name: 'Ada', email: 'ada@example.org', active: true, ...times },
  team: { kind: 'team', id: idOf('team'), name: 'Core', description: 'x', ...times, members: [{ userId: idOf('user'), joinedAt: time }] },
  project: {
    kind: 'project', id: projectId, key: 'LIMITS', keyBase: 'LIMI', name: 'Limits', description: 'x', status: 'active', ownerId: idOf('user'),
    startDate: day, dueDate: '2026-01-02', ...times, version: 1, byKey: true,
    members: [{ userId: idOf('user'), role: 'member', joinedAt: time, updatedAt: time }], teams: [{ teamId: idOf('team'), addedAt: time }],
  },
  board: { kind: 'board', id: idOf('board'), projectId, name: 'Board', isFirst: false, description: 'x', position: 1, archived: false, ...times },
  stage: { kind: 'stage', id: idOf('stage'), projectId, boardId: idOf('board'), name: 'Stage', category: 'active', position: 1, wipLimit: 1, ...times },
  field: { kind: 'field', id: idOf('field'), projectId, name: 'points', type: 'number' },
  tag: { kind: 'tag', id: idOf('tag'), projectId, name: 'bug', color: '#aabbcc' },
  task: {
    kind: 'task', id: idOf('task'), projectId, number: 1, version: 1, title: 'One', description: 'x', descriptionFormat: 'text', state: 'completed',
    priority: 'high', type: 'bug', boardId: idOf('board'), stageId: idOf('stage'), parentId: idOf('parent'), assigneeId: idOf('user'),
    assigneeIds: [idOf('user')], creatorId: idOf('user'), startDate: day,
    dueDate: '2026-01-02', estimateSeconds: 1, completedAt: time, cancelledAt: time, externalId: 'x-1', externalUrl: 'https://example.org/1',
    fields: { points: 3, sprint: 'Sprint 3' }, ...times, tags: [{ id: idOf('tag'), name: 'bug', color: '#aabbcc' }], watcherIds: [idOf('user')],
  },
  comment: {
    kind: 'comment', id: idOf('comment'), projectId, taskId: idOf('task'), authorId: idOf('user'), body: 'x', bodyFormat: 'text', ...times,
    files: [{ id: idOf('file'), creatorId: idOf('user'), name: 'x', mimeType: 'a/b', sizeBytes: 1, sha256: '0'.repeat(64), url: 'https://example.org/f', ...times }],
  },
  file: {
    kind: 'file', id: idOf('own file'), projectId, taskId: idOf('task'), creatorId: idOf('user'), name: 'x', mimeType: 'a/b', sizeBytes: 1,
    sha256: '0'.repeat(64), url: 'https://example.org/f', ...times,
  },
  time_entry: {
    kind: 'time_entry', id: idOf('entry'), projectId, taskId: idOf('task'), userId: idOf('user'), description: 'x', spentOn: day, startedAt: time,
    endedAt: '2026-01-01T01:00:00Z', timed: false, billable: true, ...times,
  },
  document: {
    kind: 'document', id: idOf('document'), projectId, path: 'a/b.md', title: 'x', taskId: idOf('task'), authorId: idOf('user'), markdown: 'x',
    revision: 1, ...times,
  },
}

// prettier-ignore
const values = [
  null, true, [], {}, '', ' ', '/', 'x', 'x,y', 'x y', 'constructor', '__proto__', 'a\0@b/c', 'https://a\0', '\ud800@x/y', 'https://\ud800', '#12345g', 'A'.repeat(10), '@/', 'a@b/c', 'a b@c/d',
  'javascript:alert(1)', 'é'.repeat(200), 'x'.repeat(501), `https://${'x'.repeat(2_000)}`, 'x'.repeat(100_001), idOf('nobody'), idOf('task'), '2026-01-03', '0001-01-01', '9999-12-31', '0000-01-01', '2026-02-30',
  '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59-14:00', '9999-12-31T23:59:59', '0001-01-01T00:00:00', '2025-12-31T00:00:00Z', 'open', 'cancelled',
  0, -1, 1.5, 1e300, -1e300, 2 ** 31 - 1, 2 ** 31, 9_000_000_000_000_001, 2 ** 53,
]

type Path = readonly (string | number)[]

function* leavesOf(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path
  if (value !== null && typeof value === 'object')
    for (const [name, inner] of Object.entries(value))
      yield* leavesOf(inner, [...path, Array.isArray(value) ? Number(name) : name])
}

/** A copy of the object with an id of its own, in which one value is another one. */
function changed(object: object, path: Path, value: unknown, n: number): string {
  const copy = structuredClone(object) as Record<string | number, unknown>
  copy['id'] = idOf(`changed ${n}`)
  if ('externalId' in copy) copy['externalId'] = `x-${n}`
  if ('path' in copy) copy['path'] = `${n}.md`
  let target = copy
  for (const name of path.slice(0, -1)) target = target[name] as typeof target
  target[path.at(-1)!] = value
  return JSON.stringify(copy)
}

test('every value of every field', async () => {
  assert.deepEqual(Object.keys(valid).toSorted(), kinds.toSorted())
  const lines = Object.values(valid).map((object) => JSON.stringify(object))
  for (const object of Object.values(valid))
    for (const path of leavesOf(object))
      for (const value of values) lines.push(changed(object, path, value, lines.length))
  // The first and the last time zone.
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const { error, counts } = await importText('limits.jsonl', lines.join('\n'), '--skip-invalid', '--timezone', zone)
    assert.match(error!, /^\d+ rows of limits\.jsonl were skipped$/)
    for (const kind of [
      'users',
      'teams',
      'projects',
      'boards',
      'stages',
      'tasks',
      'comments',
      'time entries',
      'documents',
    ])
      assert.ok(
        (counts[kind]!['created'] ?? 0) + (counts[kind]!['unchanged'] ?? 0) > 5,
        `${kind}: ${JSON.stringify(counts[kind])}`,
      )
  }
})

test('assignees of a line: the one of assigneeId, the first 50 of assigneeIds, or both', async () => {
  const ids = Array.from({ length: 51 }, (_, n) => idOf(`assignee ${n}`))
  const [first, second] = ids as [string, string]
  const task = (id: string, fields: object) => ({ kind: 'task', id: idOf(id), projectId, title: id, ...fields })
  const importLines = (...lines: object[]) =>
    importText('assignees.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'), '--project', 'ASSIGNED')
  const users = ids.map((id, n) => ({ kind: 'user', id, name: `Assignee ${n}` }))
  const imported = await importLines(
    ...users,
    task('one', { assigneeId: first }),
    task('none', { assigneeId: null }),
    task('first', { assigneeId: first, assigneeIds: [] }),
    task('both', { assigneeId: first, assigneeIds: [first, second] }),
    task('many', { assigneeIds: ids }),
  )
  assert.equal(imported.error, undefined)
  assert.match(imported.output, /tasks had more than 50 assignees \(the first 50 are kept\)/)
  const shown = await sql`
    select title, workgate.assignees_of(assignee_id, assignee_ids) as ids
    from workgate.tasks t
    where exists (select from workgate.projects p where p.id = t.project_id and p.key = 'ASSIGNED')`
  assert.deepEqual(Object.fromEntries(shown.map(({ title, ids }) => [title, ids])), {
    one: [first],
    none: [],
    first: [first],
    both: [first, second],
    many: ids.slice(0, 50),
  })
  const { error } = await importLines(task('other', { assigneeId: second, assigneeIds: [first, second] }))
  assert.match(error!, /line 1, assigneeIds .*: must begin with assigneeId/)
})

test('an object that is nested deeply is named as an object', async () => {
  const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const line = JSON.stringify(valid['task']).replace('"x-1"', nested)
  const { error } = await importText('nested.jsonl', line, '--project', 'NEST')
  assert.match(error!, /line 1, externalId "an object": must be a string of 1 to 200 characters/)
})

// In quadratic time, each would take minutes.
const long = `a${' '.repeat(1_000_000)}b`
// prettier-ignore
const longFiles: [what: string, name: string, text: string][] = [
  ['tags', 'tasks.csv', `title,tags\nOne,"${long}"`],
  ['a name', 'todoist.csv', `TYPE,CONTENT,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\ntask,One,4,1,"${long}",,,,`],
  ['files of comments', 'todoist.csv', `TYPE,CONTENT,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\ntask,One,4,1,,,,,\nnote,"${'[[file {'.repeat(100_000)}",,,,,2026-01-01T00:00:00Z,,`],
  ['columns', 'tasks.csv', `title${',tags'.repeat(20_000)}\nOne${',x'.repeat(20_000)}`],
]
for (const [what, name, text] of longFiles)
  test(`${what} that are as long as can be are read in linear time`, { timeout: 60_000 }, async () => {
    const { error } = await importText(name, text, '--project', 'LONG')
    assert.doesNotMatch(error ?? '', /timeout/)
  })

test('words that every object inherits are no states and no priorities', async () => {
  const rows =
    'title,state,priority,stageCategory\nA,constructor,low,active\nB,open,__proto__,active\nC,open,low,toString'
  const { error } = await importText('tasks.csv', rows, '--project', 'WORDS')
  assert.match(
    error!,
    /line 2, state "constructor": must be one of open, completed, cancelled.*\n.*line 3, priority "__proto__": must be one of .*\n.*line 4, stageCategory "toString": must be one of/s,
  )
  const jira = 'Summary,Issue key,Issue id,Status,Priority\nA,WORD-1,1,Open,constructor'
  assert.equal((await importText('jira.csv', jira, '--project', 'WORDS')).error, undefined)
})

test('the largest numbers leave room for their successors', async () => {
  const [most, last] = [9_000_000_000_000_000, 2_000_000_000]
  const own = (name: string, fields: object) => JSON.stringify({ ...valid[name], id: idOf(`most ${name}`), ...fields })
  const lines = [
    JSON.stringify(valid['user']),
    JSON.stringify({ ...valid['project'], id: idOf('most'), key: 'MOST', version: most }),
    own('board', { position: last, projectId: idOf('most') }),
    own('stage', { position: last, projectId: idOf('most'), boardId: idOf('most board'), category: 'done' }),
    own('task', {
      number: most,
      version: most,
      projectId: idOf('most'),
      state: 'open',
      boardId: idOf('most board'),
      stageId: idOf('most stage'),
    }),
    own('document', { revision: last, projectId: idOf('most') }),
  ]
  assert.equal((await importText('most.jsonl', lines.join('\n'))).error, undefined)
  const { body, text } = await post('/projects/MOST/tasks', { title: 'Next' })
  assert.ok(body.data, text)
  assert.equal(body.data.number, most + 1)
  assert.equal((await post(`/projects/MOST/tasks/MOST-${most}/complete`, {})).status, 200)
  await sql`update workgate.documents set markdown = 'y' where project_id = ${idOf('most')}`
  await sql`update workgate.projects set name = 'y' where id = ${idOf('most')}`
  const more = 'title,stage\nOne,New'
  const { error, counts } = await importText('tasks.csv', more, '--project', 'MOST', '--add-source')
  assert.deepEqual([error, counts['stages']], [undefined, { created: 1 }])
  for (const [table, column, value] of [
    ['tasks', 'number', most + 1],
    ['tasks', 'version', most + 1],
    ['boards', 'position', last + 1],
  ] as const)
    // prettier-ignore
    await assert.rejects(
      sql.unsafe(`insert into workgate.${table} (project_id, ${table === 'tasks' ? 'title' : 'name'}, ${column}) values ('${idOf('most')}', 'x', ${value})`),
      { code: '23514' },
    )
})
