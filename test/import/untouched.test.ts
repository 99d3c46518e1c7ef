// workgate import: other projects and the directory are not touched.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { derivedId } from '../../src/import/derived-id.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { valuesOf } from '../support/values.ts'
import { createImporter } from './importing.ts'

const { workgate, sql, get } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const jsonLines = (...objects: object[]) => objects.map((object) => JSON.stringify(object)).join('\n')
const titlesOf = async (project: string) => valuesOf((await get(`/projects/${project}/tasks`)).body.data, 'title')
const keyOf = async (id: string) => (await sql`select key from workgate.projects where id = ${id}`)[0]!['key'] as string

describe('only the key decides about a project that is named', () => {
  const named: [how: string, file: string, args: (key: string) => string[]][] = [
    ['with --project', 'title\nMine', (key) => ['--project', key]],
    ['in the column "project"', 'title,project\nMine,KEY', () => []],
  ]
  for (const [n, [how, file, args]] of named.entries()) {
    test(`${how}: not the id that is derived from it`, async () => {
      const key = `TAKEN${n}`
      const id = derivedId(n === 0 ? '' : 'csv', 'project', key)
      await sql`insert into workgate.projects (id, key, name) values (${id}, ${`OTHER${n}`}, 'Of others')`
      const load = () => importText('tasks.csv', file.replace('KEY', key), ...args(key))
      const first = await load()
      assert.equal(first.error, undefined)
      assert.deepEqual(first.counts['projects'], { created: 1 })
      assert.deepEqual((await load()).counts['projects'], { unchanged: 1 })
      assert.deepEqual([await titlesOf(key), await titlesOf(`OTHER${n}`)], [['Mine'], []])
    })

    test(`${how}: not the project that had it before`, async () => {
      const key = `OLD${n}`
      const load = (title: string) =>
        importText('tasks.csv', file.replace('KEY', key).replace('Mine', title), ...args(key))
      await load('Before')
      await sql`update workgate.projects set key = ${`NEW${n}`} where key = ${key}`
      assert.deepEqual((await load('After')).counts['projects'], { created: 1 })
      assert.deepEqual([await titlesOf(key), await titlesOf(`NEW${n}`)], [['After'], ['Before']])
    })
  }

  test('of an export that is copied', async () => {
    const id = derivedId('', 'project', 'COPY')
    await sql`insert into workgate.projects (id, key, name) values (${id}, 'SECRET', 'Of others')`
    const file = jsonLines(
      { kind: 'project', id: derivedId('x', 'project', 'x'), key: 'ANY', name: 'Copied' },
      { kind: 'task', id: derivedId('x', 'task', 'x'), projectId: derivedId('x', 'project', 'x'), title: 'Copied' },
    )
    for (const outcome of ['created', 'unchanged']) {
      const { counts, error } = await importText('export.jsonl', file, '--project', 'COPY')
      assert.equal(error, undefined)
      assert.deepEqual(counts['projects'], { [outcome]: 1 })
    }
    assert.deepEqual([await titlesOf('COPY'), await titlesOf('SECRET'), await keyOf(id)], [['Copied'], [], 'SECRET'])
  })
})

describe('the directory', () => {
  const [ada, linus, admins] = ['ada', 'linus', 'admins'].map((name) => derivedId('directory', 'user', name))
  const projectId = derivedId('directory', 'project', 'x')
  const file = jsonLines(
    { kind: 'user', id: ada, name: 'Renamed', email: 'mallory@example.org', active: false },
    { kind: 'user', id: linus, name: 'Linus', email: 'linus@example.org' },
    {
      kind: 'team',
      id: admins,
      name: 'Renamed',
      members: [{ userId: linus, joinedAt: '2026-01-01T00:00:00Z' }],
    },
    {
      kind: 'project',
      id: projectId,
      key: 'DIR',
      name: 'Directory',
      teams: [{ teamId: admins, addedAt: '2026-01-01T00:00:00Z' }],
    },
    { kind: 'task', id: derivedId('directory', 'task', 'x'), projectId, title: 'One', assigneeIds: [ada] },
  )
  const directory = () => sql`
    select 'user' as kind, u.name, u.email, u.active
    from workgate.users u where u.id = ${ada!}
    union all
    select 'team', t.name, (select string_agg(u.name, ',') from workgate.team_members m join workgate.users u on u.id = m.user_id where m.team_id = t.id), true
    from workgate.teams t where t.id = ${admins!}`

  test('is found, and completed only by what the import creates, with --project', async () => {
    await sql`insert into workgate.users (id, name, email) values (${ada!}, 'Ada', 'ada@example.org')`
    await sql`insert into workgate.teams (id, name) values (${admins!}, 'Admins')`
    await sql`insert into workgate.team_members (team_id, user_id) values (${admins!}, ${ada!})`
    const before = await directory()
    const { error, counts } = await importText('export.jsonl', file, '--project', 'DIR')
    assert.equal(error, undefined)
    assert.deepEqual(counts['users'], { created: 1, unchanged: 1 })
    assert.deepEqual(counts['teams'], { unchanged: 1 })
    assert.deepEqual(await directory(), before)
    assert.deepEqual((await get('/projects/DIR/teams')).body.data, [])
  })

  test('follows only the names of people without --project', async () => {
    const { error, counts } = await importText('export.jsonl', file)
    assert.equal(error, undefined)
    assert.deepEqual(counts['users'], { updated: 1, unchanged: 1 })
    assert.deepEqual(
      [...(await directory())].map(({ name, email, active }) => [name, email, active]),
      [
        ['Renamed', 'ada@example.org', true],
        ['Admins', 'Renamed', true],
      ],
    )
  })
})
