// Tests ETags, If-None-Match and compression on every route that reads.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { routes } from '../../src/routes.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { fill, id, requiredQuery, web } from '../support/data.ts'

const { workgate, key } = await contractSuite({ data: 'basic' })
let other: string
const tasks = `GET /projects/${web}/tasks?limit=200`

await workgate.sql`insert into workgate.tasks (project_id, title) select ${web}, 'Task ' || n from generate_series(1, 30) n`
other = await workgate.issueKey('other', { projects: [web] })

const get = (line: string, headers: Record<string, string> = {}, as = key) => workgate.send(line, { key: as, headers })
const tagOf = async (line: string, headers: Record<string, string> = {}) => (await get(line, headers)).headers['etag']!

/** The path of every route that reads, with ids of existing rows. */
const reads = routes.filter(([method]) => method === 'GET').map(([, path]) => fill(path, web) + requiredQuery(path))

describe('every read', () => {
  for (const path of reads) {
    test(`${path} has a strong ETag, and gets 304 if the client has it`, async () => {
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

test('X-Observed-At is a database time between request and response, for cached responses too', async () => {
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
    ['the ETag',                       (etag) => etag,                       304],
    ['the ETag marked as weak',        (etag) => `W/${etag}`,                304],
    ['the ETag in a list',             (etag) => `"a", W/"b" ,${etag},"c"`,  304],
    ['*',                              () => '*',                            304],
    ['another ETag',                   () => '"a"',                          200],
    ['a part of the ETag',             (etag) => `${etag.slice(0, 9)}"`,     200],
    ['the ETag without its quotes',    (etag) => etag.slice(1, -1),          200],
    ['a malformed list with the ETag', (etag) => `${etag}, "`,               200],
    ['an empty value',                 () => '',                             200],
    ['the ETag of another encoding',   (etag) => `${etag.slice(0, -1)}-br"`, 200],
  ]
  for (const [claim, header, status] of known) {
    test(`${claim} gets ${status}`, async () => {
      const reply = await get(tasks, { 'if-none-match': header(await tagOf(tasks)) })
      assert.equal(reply.status, status)
      assert.equal(reply.text === '', status === 304)
    })
  }

  test('accepts an ETag from another key: the ETag is derived from the response body', async () => {
    const reply = await get(tasks, { 'if-none-match': await tagOf(tasks) }, other)
    assert.equal(reply.status, 304)
  })

  test('does not hide errors: no 304 without access or with an invalid parameter', async () => {
    const etag = await tagOf(tasks)
    const [gone] = [await workgate.issueKey('gone')]
    await workgate.sql`select workgate.revoke_key('gone')`
    assert.equal((await get(tasks, { 'if-none-match': etag }, gone)).status, 401)
    assert.equal((await get(`GET /projects/${id('project', 2)}/tasks`, { 'if-none-match': '*' }, other)).status, 403)
    assert.equal((await get(`${tasks}&colour=red`, { 'if-none-match': '*' })).status, 400)
  })

  test('is ignored by writes, and errors have no ETag', async () => {
    const path = `/projects/${web}/tasks/${id('task', 2)}`
    const completed = await workgate.send(`POST ${path}/complete`, { key, headers: { 'if-none-match': '*' } })
    assert.equal(completed.status, 200)
    assert.equal((await get(`GET /projects/${web}/tasks/${id('task', 99)}`)).headers['etag'], undefined)
  })

  test('the ETag of a compressed task is valid in If-Match', async () => {
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
  const encodings: [header: string | undefined, encoding: string | undefined][] = [
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
  for (const [header, encoding] of encodings) {
    test(`${header === undefined ? 'no header' : `"${header}"`} gets ${encoding ?? 'no encoding'}`, async () => {
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

  test('does not compress small responses or errors', async () => {
    for (const line of ['GET /key', 'GET /nowhere', `GET /projects?${'x'.repeat(3000)}=1`]) {
      assert.equal((await get(line, { 'accept-encoding': 'br' })).headers['content-encoding'], undefined, line)
    }
  })
})
