// A key selects at most 1,000 projects, however they are added.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { everyProject } from '../../src/api/freshness/freshness.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { versionsOf } from '../support/versions.ts'
import { post, web } from '../support/writes.ts'

const { workgate, sql } = await contractSuite({ data: 'basic' })

const maxProjects = 1_000
const many = (
  await sql`
  insert into workgate.projects (key, name) select 'FULL' || n, 'x' from generate_series(1, ${maxProjects}) n returning id`
).map((row) => row['id'] as string)

const creator = (name: string, projects: string[]) =>
  workgate.issueKey(name, { projects, operations: ['create_project'] })
const create = (key: string, headers = {}) => post(workgate, key, '/projects', { name: 'New' }, headers)
async function written() {
  const tables = ['projects', 'boards', 'stages', 'project_members', 'idempotency_records']
  const counts = tables.map(async (table) => (await sql.unsafe(`select count(*) from workgate.${table}`))[0]!['count'])
  return [await Promise.all(counts), await versionsOf(sql, [everyProject])]
}

describe('a key that has created the last project that it can select', () => {
  test('gets 409 for the next one, nothing is written, and the last response is still replayed', async () => {
    const key = await creator('full', many.slice(1))
    const once = { 'idempotency-key': 'once' }
    const last = await create(key, once)
    assert.equal(last.status, 201)
    const before = await written()
    for (const headers of [{}, { 'idempotency-key': 'next' }]) {
      const { status, body } = await create(key, headers)
      assert.deepEqual([status, body.code], [409, 'PROJECT_LIMIT_REACHED'])
      assert.match(body.detail, /1000 projects/)
    }
    assert.deepEqual(await written(), before)
    assert.equal((await create(key, once)).text, last.text)
    assert.equal((await workgate.send('GET /key', { key })).body.data.projectIds.length, maxProjects)
    assert.equal((await workgate.send(`GET /projects/${last.body.data.id}`, { key })).status, 200)
  })

  test('can create one again after its selection was reduced', async () => {
    await sql`select workgate.set_key_projects('full', ${[web]}::uuid[])`
    const { key } = (await sql`select workgate.rotate_key('full') as key`)[0]!
    assert.equal((await create(key)).status, 201)
  })
})

test('of several projects that a key creates at once, those beyond the limit are refused with 409', async () => {
  const key = await creator('racing', many.slice(2))
  const replies = await Promise.all(Array.from({ length: 6 }, () => create(key)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 409, 409, 409, 409])
})

test('a key for all projects can create further ones', async () => {
  assert.equal((await create(await workgate.issueKey('all'))).status, 201)
})
