// Responses about several projects depend only on the projects that the key can access: neither the cache nor an ETag
// reveals writes in others.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { directory } from '../../src/api/freshness/freshness.ts'
import { app, insertData, old, web } from '../support/data.ts'
import { shownChanges, shownTables } from '../support/shown-tables.ts'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { issueKey, plain } from '../support/workgate.ts'
import { openInstance } from './instances.ts'
import { readRoutes } from './views.ts'

const paths = readRoutes.filter((path) => !path.includes(':projectId'))
const manyProjects = 501

const { sql, url } = await suiteDatabase(insertData)
const many = await sql`
  insert into workgate.projects (key, name) select 'MANY' || n, 'x' from generate_series(1, ${manyProjects}) n returning id`
const keys: Record<string, string> = {
  one: await issueKey(sql, 'one', { projects: [app] }),
  two: await issueKey(sql, 'two', { projects: [app, old] }),
  none: await issueKey(sql, 'none', { projects: [] }),
  many: await issueKey(sql, 'many', { projects: many.map((row) => row['id']) }),
  all: await issueKey(sql, 'all'),
  creator: await issueKey(sql, 'creator', { projects: [web], operations: ['create_project'] }),
}
for (const { insert, scopes } of shownTables) if (scopes[0] === directory) await sql.unsafe(insert)
const instance = openInstance(url)
atEnd(() => instance.close())

async function get(path: string, key: string, etag?: string) {
  const headers = { authorization: `Bearer ${keys[key]}`, ...(etag && { 'if-none-match': etag }) }
  const response = await instance.ask('GET', path, headers)
  return { ...response, text: plain(response) }
}

async function post(path: string, body: object, key = 'all') {
  const headers = { authorization: `Bearer ${keys[key]}`, 'content-type': 'application/json' }
  assert.equal((await instance.ask('POST', path, headers, body)).status, 201)
}

const bySql = (claim: string, change: string): [string, () => Promise<unknown>] => [claim, () => sql.unsafe(change)]

/** Returns how much these metrics grow during the work: cache hits, cache misses and freshness checks. */
async function countDuring(work: () => Promise<unknown>) {
  const names = ['workgate_cache_hits_total', 'workgate_cache_misses_total', 'workgate_freshness_checks_total']
  const before = names.map(instance.metric)
  await work()
  const [hits, misses, checks] = names.map((name, n) => instance.metric(name) - before[n]!)
  return { hits, misses, checks }
}

const requests = (selected: string[]) => selected.flatMap((key) => paths.map((path) => [path, key] as const))

describe('a response about all projects of a key stays cached, for changes in others:', { concurrency: false }, () => {
  const selected = ['one', 'two', 'none']
  const etags = new Map<string, string>()

  before(async () => {
    for (const [path, key] of requests(selected)) etags.set(`${path} ${key}`, (await get(path, key)).headers['etag']!)
  })

  // prettier-ignore
  const changes: [claim: string, change: () => Promise<unknown>][] = [
    ...shownChanges.filter(({ scopes }) => scopes[0] !== directory).map(({ claim, change }) => bySql(claim, change)),
    bySql('compacting changes', 'select workgate.compact_marks()'),
    ['creating a task', () => post(`/projects/${web}/tasks`, { title: 'New' })],
    ['creating a project with a key for all projects', () => post('/projects', { name: 'New' })],
    ['creating a project with another key for selected projects', () => post('/projects', { name: 'New' }, 'creator')],
    bySql('selecting projects for another key', `select workgate.set_key_projects('creator', '{${web}}')`),
    bySql('issuing, rotating and revoking another key',
      `do $$ begin perform workgate.issue_key('other'), workgate.rotate_key('creator'), workgate.revoke_key('other'); end $$`),
  ]

  for (const [claim, change] of changes) {
    test(`after ${claim}`, async () => {
      await change()
      const all = requests(selected)
      const statuses: number[] = []
      const counts = await countDuring(() =>
        // Not even the records of the keys are read again.
        sql.begin(async (sql) => {
          await sql`lock table workgate.api_keys in access exclusive mode`
          for (const [path, key] of all) statuses.push((await get(path, key, etags.get(`${path} ${key}`))).status)
        }),
      )
      assert.deepEqual(counts, { hits: all.length, misses: 0, checks: all.length })
      assert.deepEqual([...new Set(statuses)], [304])
    })
  }

  test('until one of its projects changes, whichever it is', async () => {
    for (const id of [app, old]) {
      await sql`update workgate.projects set name = name where id = ${id}`
      const counts = await countDuring(() => get('/projects', 'two'))
      assert.deepEqual(counts, { hits: 0, misses: 1, checks: 1 })
    }
  })
})

describe('the freshness of lists', { concurrency: false }, () => {
  const set = (name: string, ids: string[]) => sql`select workgate.set_key_projects(${name}, ${ids}::uuid[])`
  const checksOf = async (key: string) => (await countDuring(() => get('/projects', key))).checks

  test('takes a second check only if the selection of the key is new to the service', async () => {
    keys['seen'] = await issueKey(sql, 'seen', { projects: [app] })
    const unknown = await checksOf('seen')
    const known = await checksOf('seen')
    await sql`update workgate.users set name = name`
    const afterAnotherChange = await checksOf('seen')
    await set('seen', [app, web])
    assert.deepEqual([unknown, known, afterAnotherChange], [2, 1, 1])
    assert.deepEqual([await checksOf('seen'), await checksOf('seen')], [2, 1])
  })

  test('includes projects that were just selected, even if another key with the same selection was first', async () => {
    keys['first'] = await issueKey(sql, 'pair', { projects: [web] })
    keys['second'] = (await sql`select workgate.rotate_key('pair') as key`)[0]!['key']
    for (const key of ['first', 'second']) await get('/projects', key)
    await set('pair', [web, app])
    await get('/projects', 'first')
    await sql`update workgate.projects set name = 'Renamed' where id = ${app}`
    assert.match((await get('/projects', 'second')).text, /"Renamed"/)
  })

  test(`does not depend on the cache for a key with ${manyProjects} projects`, async () => {
    const { headers } = await get('/projects', 'many')
    const before = instance.metric('workgate_cache_entries')
    const counts = await countDuring(async () => {
      assert.equal((await get('/projects', 'many', headers['etag'])).status, 304)
      await sql`update workgate.projects set name = 'Changed' where key = 'MANY1'`
      assert.match((await get('/projects?q=Changed', 'many')).text, /"MANY1"/)
      assert.match((await get('/projects?q=Changed', 'many')).text, /"MANY1"/)
    })
    assert.deepEqual(counts, { hits: 0, misses: 3, checks: 3 })
    assert.equal(instance.metric('workgate_cache_entries'), before)
  })

  test('depends on every project for a key that can access all of them', async () => {
    await get('/projects', 'all')
    await sql`update workgate.projects set name = name where id = ${web}`
    assert.deepEqual(await countDuring(() => get('/projects', 'all')), { hits: 0, misses: 1, checks: 1 })
  })
})
