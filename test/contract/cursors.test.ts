// Cursors continue the list that they come from, and are refused elsewhere.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeBytes, encodeBytes } from '../../src/api/input/values.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, old, web } from '../support/data.ts'

const { workgate, get } = await contractSuite({ data: 'basic' })

const users = `/projects/${web}/users`
const teams = `/projects/${web}/teams`

describe('cursors', () => {
  const first = async (path: string) => (await get(path)).body.meta.nextCursor as string

  test('a page ends before it exceeds 512 KiB, and the walk still reads every item', async () => {
    const project = id('project', 10)
    await workgate.sql`insert into workgate.projects (id, key, name) values (${project}, 'LONG', 'Long')`
    await workgate.sql`
      insert into workgate.tasks (project_id, id, title, description, due_date)
      select ${project}, id, 'Task', repeat('日', n::integer * 7000), case when n < 7 then '2026-01-10'::date - n::integer end
      from unnest(${Array.from({ length: 14 }, (_, n) => id('task', 1_001 + n))}::uuid[]) with ordinality as t (id, n)`
    const orders = {
      number: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
      '-number': [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
      dueDate: [6, 5, 4, 3, 2, 1, 7, 8, 9, 10, 11, 12, 13, 14],
    }
    for (const [sort, order] of Object.entries(orders)) {
      const lengths: number[] = []
      let cursor = ''
      do {
        const { text, body } = await get(`/projects/${project}/tasks?limit=10&sort=${sort}${cursor}`)
        assert.ok(Buffer.byteLength(text) < 525_000, `${Buffer.byteLength(text)} bytes`)
        assert.equal(body.meta.limit, 10)
        lengths.push(...body.data.map((task: { description: string }) => task.description.length / 7_000))
        cursor = body.meta.nextCursor && `&cursor=${body.meta.nextCursor}`
        assert.equal(body.meta.hasMore, cursor !== null)
      } while (cursor)
      assert.deepEqual(lengths, order, sort)
    }
  })

  test('an item of more than 512 KiB has a page of its own', async () => {
    const project = id('project', 11)
    await workgate.sql`insert into workgate.projects (id, key, name) values (${project}, 'HUGE', 'Huge')`
    await workgate.sql`
      insert into workgate.tasks (project_id, title, description)
      select ${project}, 'Task', repeat(${'\u0001'}, 100000) from generate_series(1, 2) n`
    const first = await get(`/projects/${project}/tasks?sort=number`)
    assert.deepEqual([first.body.data.length, first.body.meta.hasMore], [1, true])
    const second = await get(`/projects/${project}/tasks?sort=number&cursor=${first.body.meta.nextCursor}`)
    assert.deepEqual([second.body.data.length, second.body.data[0].number, second.body.meta.hasMore], [1, 2, false])
  })

  test('a cursor can contain any value of a column', async () => {
    await workgate.sql.unsafe(`
      insert into workgate.boards (project_id, name, position) select '${old}', n, n from unnest('{-2000000000,-1,2000000000}'::integer[]) n;
      insert into workgate.tasks (project_id, title, number) select '${old}', n, n from unnest('{1,4294967297,9000000000000000}'::bigint[]) n`)
    const names: string[] = []
    for (const list of ['boards?sort=position', 'tasks?sort=number']) {
      for (let cursor = ''; cursor !== '&cursor=null';) {
        const { status, body } = await get(`/projects/${old}/${list}&limit=1${cursor}`)
        assert.equal(status, 200, JSON.stringify(body))
        names.push(body.data[0].name ?? body.data[0].title)
        cursor = `&cursor=${body.meta.nextCursor}`
      }
    }
    assert.equal(names.join(), '-2000000000,-1,2000000000,1,4294967297,9000000000000000')
  })

  test('altered, foreign and forged cursors get 400 INVALID_CURSOR', async () => {
    const cursor = await first(`${users}?limit=1`)
    const decoded = JSON.parse(String(decodeBytes(cursor))) as unknown[]
    const forge = (change: (parts: unknown[]) => void) => {
      const parts = [...decoded]
      change(parts)
      return encodeBytes(Buffer.from(JSON.stringify(parts)))
    }
    const other = cursor.at(12) === 'A' ? 'B' : 'A'
    const cases: Record<string, string> = {
      empty: `${users}?cursor=`,
      'not a cursor': `${users}?cursor=abc`,
      'not base64url': `${users}?cursor=${encodeURIComponent('a+/=')}`,
      padded: `${users}?cursor=${cursor}%3D`,
      'one letter changed': `${users}?cursor=${cursor.slice(0, 12)}${other}${cursor.slice(13)}`,
      'another version': `${users}?cursor=${forge((parts) => (parts[0] = 2))}`,
      'another value': `${users}?cursor=${forge((parts) => (parts[1] = 'zzz'))}`,
      'another id': `${users}?cursor=${forge((parts) => (parts[2] = id('user', 4)))}`,
      'a malformed id': `${users}?cursor=${forge((parts) => (parts[2] = "' or 1=1"))}`,
      'more parts': `${users}?cursor=${forge((parts) => parts.push(1))}`,
      'a prototype': `${users}?cursor=${Buffer.from('{"__proto__":[]}').toString('base64url')}`,
      'another sort': `${users}?sort=-name&cursor=${cursor}`,
      'another filter': `${users}?active=true&cursor=${cursor}`,
      'another list': `${teams}?cursor=${cursor}`,
      'another project': `/projects/${app}/users?cursor=${cursor}`,
    }
    for (const [name, path] of Object.entries(cases)) {
      const { status, body } = await get(path)
      assert.equal(status, 400, name)
      assert.equal(body.code, 'INVALID_CURSOR', name)
      assert.equal(body.errors[0].name, 'cursor')
    }
  })

  test('the scope of the key applies to every page', async () => {
    const narrow = await workgate.issueKey('narrow', { projects: [web, app] })
    const ask = (path: string) => workgate.send(`GET ${path}`, { key: narrow })
    const { body } = await ask('/projects?limit=1')
    await workgate.sql`select workgate.set_key_projects('narrow', ${[app]}::uuid[])`
    assert.deepEqual((await ask(`/projects?limit=1&cursor=${body.meta.nextCursor}`)).body.data, [])
  })
})
