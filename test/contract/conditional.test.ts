// Whoever has an answer already is told so, and whoever can take it compressed gets it so: on every route that reads.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { routes } from '../../src/routes.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { fill, id, web } from '../support/data.ts'

const { workgate, key } = await contractSuite({
  data: 'basic',
  environment: { CORS_ORIGINS: 'https://app.example.org' },
})
let other: string
const tasks = `GET /projects/${web}/tasks?limit=200`

await workgate.sql`insert into workgate.tasks (project_id, title) select ${web}, 'Task ' || n from generate_series(1, 30) n`
other = await workgate.issueKey('other', { projects: [web] })

const get = (line: string, headers: Record<string, string> = {}, as = key) => workgate.send(line, { key: as, headers })
const tagOf = async (line: string, headers: Record<string, string> = {}) => (await get(line, headers)).headers['etag']!

/** Every route that reads, on things that are there. */
const reads = routes
  .filter(([method]) => method === 'GET')
  .map(([, path]) => fill(path, web) + (path.endsWith('/verification') ? '?state=open' : ''))

describe('every read', () => {
  for (const path of reads) {
    test(`${path} has a strong tag, and is not sent again to who has it`, async () => {
      const first = await get(`GET ${path}`)
      const { etag } = first.headers as { etag: string }
      assert.equal(first.status, 200)
      assert.match(etag, /^"[!#-~]+"$/)
      assert.equal(first.headers['vary']?.split(', ')[0], 'Accept-Encoding')
      for (const method of ['GET', 'HEAD']) {
        const again = await get(`${method} ${path}`, { 'if-none-match': etag })
        assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag])
        assert.equal(again.headers['cache-control'], 'private, no-cache')
        assert.deepEqual([again.headers['content-type'], again.headers['content-length']], [undefined, undefined])
        assert.ok(again.headers['x-request-id'] && again.headers['ratelimit'] === first.headers['ratelimit'])
      }
      const compressed = await get(`GET ${path}`, { 'accept-encoding': 'br, gzip' })
      assert.equal(compressed.text, first.text)
      assert.equal(compressed.headers['content-encoding'], first.text.length > 1024 ? 'br' : undefined)
      assert.equal(compressed.headers['etag'] === etag, first.text.length <= 1024)
    })
  }
})

test('X-Observed-At is a moment of the database between request and answer, for what is kept as well', async () => {
  const now = async () => (await workgate.sql`select workgate.iso(clock_timestamp()) as now`)[0]!['now'] as string
  for (const headers of [{}, {}, { 'if-none-match': '*' }]) {
    const before = await now()
    const observed = (await get(tasks, headers)).headers['x-observed-at']!
    assert.ok(before <= observed && observed <= (await now()), `${before} ${observed}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
})

describe('If-None-Match', () => {
  // prettier-ignore
  const known: [claim: string, header: (etag: string) => string, status: number][] = [
    ['the tag',                        (etag) => etag,                       304],
    ['the tag as a weak one',          (etag) => `W/${etag}`,                304],
    ['the tag among others',           (etag) => `"a", W/"b" ,${etag},"c"`,  304],
    ['any',                            () => '*',                            304],
    ['another tag',                    () => '"a"',                          200],
    ['a part of the tag',              (etag) => `${etag.slice(0, 9)}"`,     200],
    ['the tag without its quotes',     (etag) => etag.slice(1, -1),          200],
    ['a broken list with the tag',     (etag) => `${etag}, "`,               200],
    ['nothing',                        () => '',                             200],
    ['the tag of another encoding',    (etag) => `${etag.slice(0, -1)}-br"`, 200],
  ]
  for (const [claim, header, status] of known) {
    test(`${claim}: ${status}`, async () => {
      const reply = await get(tasks, { 'if-none-match': header(await tagOf(tasks)) })
      assert.equal(reply.status, status)
      assert.equal(reply.text === '', status === 304)
    })
  }

  test('lets the answer pass as soon as anything in it has changed, by whatever channel', async () => {
    const path = `GET /projects/${web}/tasks/${id('task', 1)}?include=tags`
    for (const [line, change] of [
      [tasks, `update workgate.tasks set title = title || '!' where id = '${id('task', 1)}'`],
      [
        path,
        `insert into workgate.tags (project_id, id, name) values ('${web}', '${id('task', 7)}', 'new'); insert into workgate.task_tags values ('${web}', '${id('task', 1)}', '${id('task', 7)}')`,
      ],
      [`GET /projects/${web}/users`, `update workgate.users set name = 'Countess' where id = '${id('user', 1)}'`],
      [`GET /projects/${web}/analytics/overview`, `delete from workgate.comments where id = '${id('comment', 3)}'`],
    ] as const) {
      const etag = await tagOf(line)
      await workgate.sql.unsafe(change)
      const reply = await get(line, { 'if-none-match': etag })
      assert.equal(reply.status, 200, line)
      assert.notEqual(reply.headers['etag'], etag)
    }
  })

  test('is about what is shown, not about who asks: two keys have the same tag', async () => {
    const reply = await get(tasks, { 'if-none-match': await tagOf(tasks) }, other)
    assert.equal(reply.status, 304)
  })

  test('does not keep from a client what it may not see any more', async () => {
    const etag = await tagOf(tasks)
    const [gone] = [await workgate.issueKey('gone')]
    await workgate.sql`select workgate.revoke_key('gone')`
    assert.equal((await get(tasks, { 'if-none-match': etag }, gone)).status, 401)
    assert.equal((await get(`GET /projects/${id('project', 2)}/tasks`, { 'if-none-match': '*' }, other)).status, 403)
    assert.equal((await get(`${tasks}&colour=red`, { 'if-none-match': '*' })).status, 400)
  })

  test('says nothing to a write, and errors have no tag', async () => {
    const path = `/projects/${web}/tasks/${id('task', 2)}`
    const completed = await workgate.send(`POST ${path}/complete`, { key, headers: { 'if-none-match': '*' } })
    assert.equal(completed.status, 200)
    assert.equal((await get(`GET /projects/${web}/tasks/${id('task', 99)}`)).headers['etag'], undefined)
  })

  test('the tag of a task that came compressed will do for If-Match', async () => {
    await workgate.sql`update workgate.tasks set description = ${'long '.repeat(500)} where id = ${id('task', 3)}`
    const path = `/projects/${web}/tasks/${id('task', 3)}`
    const etag = await tagOf(`GET ${path}`, { 'accept-encoding': 'gzip' })
    assert.match(etag, /-gzip"$/)
    const completed = await workgate.send(`POST ${path}/complete`, { key, headers: { 'if-match': etag } })
    assert.equal(completed.status, 200)
    const late = await workgate.send(`POST ${path}/complete`, { key, headers: { 'if-match': etag } })
    assert.equal(late.status, 412)
  })
})

describe('Accept-Encoding', () => {
  // prettier-ignore
  const wishes: [header: string | undefined, encoding: string | undefined][] = [
    [undefined,                         undefined],
    ['',                                undefined],
    ['identity',                        undefined],
    ['deflate',                         undefined],
    ['gzip',                            'gzip'],
    ['br',                              'br'],
    ['gzip, deflate, br, zstd',         'br'],
    ['GZIP',                            'gzip'],
    ['gzip;q=1.0, br;q=0.5',            'gzip'],
    ['gzip; q=0.2 , br; q=0.9',         'br'],
    ['br;q=0, gzip',                    'gzip'],
    ['br;q=0, gzip;q=0',                undefined],
    ['*',                               'br'],
    ['*;q=0.5, br;q=0',                 'gzip'],
    ['*;q=0',                           undefined],
    ['identity;q=0.5, gzip;q=0.1',      undefined],
    ['identity;q=0.1, gzip;q=0.5',      'gzip'],
    ['identity;q=0',                    undefined],
    ['brotli, gzipped',                 undefined],
  ]
  for (const [header, encoding] of wishes) {
    test(`${header === undefined ? 'none' : `"${header}"`} gets ${encoding ?? 'it as it is'}`, async () => {
      const reply = await get(tasks, header === undefined ? {} : { 'accept-encoding': header })
      assert.equal(reply.headers['content-encoding'], encoding)
      assert.equal(reply.body.data.length, 33)
      assert.equal(reply.headers['etag'], (await tagOf(tasks)).replace(/"$/, encoding ? `-${encoding}"` : '"'))
      const again = await get(tasks, {
        'accept-encoding': header ?? 'identity',
        'if-none-match': reply.headers['etag']!,
      })
      assert.equal(again.status, 304)
    })
  }

  test('does not compress what is small, nor errors', async () => {
    for (const line of ['GET /key', 'GET /nowhere', `GET /projects?${'x'.repeat(3000)}=1`]) {
      assert.equal((await get(line, { 'accept-encoding': 'br' })).headers['content-encoding'], undefined, line)
    }
  })

  test('is named by Vary, beside Origin where pages of others may call', async () => {
    const { headers } = await get(tasks, { origin: 'https://app.example.org' })
    assert.equal(headers['vary'], 'Accept-Encoding, Origin')
    assert.match(headers['access-control-expose-headers']!, /\bETag\b/)
  })
})
