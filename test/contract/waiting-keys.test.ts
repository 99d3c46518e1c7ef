// A request that waits answers as soon as its key changes, as a new request would.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { until } from '../faults/fixtures/embedded.ts'
import { openInstance } from '../freshness/instances.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, web } from '../support/data.ts'
import { valuesOf } from '../support/values.ts'

const { workgate, sql, get, issueKey } = await contractSuite({ data: 'basic' })

const other = openInstance(workgate.url)
after(() => other.close())

const waitSeconds = 30
const task = id('task', 1)

// prettier-ignore
const waits: [what: string, path: (cursors: Cursors) => string][] = [
  ['the changes of a project',      ({ project }) => `/projects/${web}/changes?cursor=${project}&wait=${waitSeconds}`],
  ['the changes of all projects',   ({ all }) => `/changes?cursor=${all}&wait=${waitSeconds}`],
  ['the verification of a task',    () => `/projects/${web}/tasks/${task}/work-packet/verification?minVersion=900&wait=${waitSeconds}`],
  ['the verification of tasks',     () => `/projects/${web}/work-packets/verification?taskIds=${task}&minVersion=900&wait=${waitSeconds}`],
]

interface Cursors {
  project: string
  all: string
}

let issued = 0
async function newKey() {
  const name = `waits ${++issued}`
  const key = await issueKey(name, { projects: [web] })
  const now = async (path: string) => (await get(path, key)).body.meta.cursor as string
  return {
    name,
    key,
    cursors: { project: await now(`/projects/${web}/changes?from=now`), all: await now('/changes?from=now') },
  }
}

/** Runs the change while the request waits, and returns the response. */
async function waitWhile(path: string, key: string, change: () => Promise<unknown>) {
  const response = other.ask('GET', path, { authorization: `Bearer ${key}` })
  await until('the request waits', () => other.metric('workgate_waiters') === 1)
  const began = performance.now()
  await change()
  const { status, body } = await response
  assert.ok(performance.now() - began < waitSeconds * 500, 'the wait ends before half of its time is over')
  return { status, body: JSON.parse(String(body)) }
}

// prettier-ignore
const ends: [claim: string, change: (name: string) => Promise<unknown>, status: number, code: string, ofAllProjects?: number][] = [
  ['is revoked',              (name) => sql`select workgate.revoke_key(${name})`,                                                      401, 'KEY_REVOKED'],
  ['expires',                 (name) => sql`update workgate.api_keys set expires_at = now() + interval '0.1 s' where name = ${name}`,  401, 'KEY_EXPIRED'],
  ['is deleted',              (name) => sql`delete from workgate.api_keys where name = ${name}`,                                       401, 'UNAUTHENTICATED'],
  ['gets other projects',     (name) => sql`select workgate.set_key_projects(${name}, array[${app}]::uuid[])`,                         403, 'ACCESS_DENIED', 200],
]

for (const [what, path] of waits) {
  describe(`a request for ${what} that waits`, () => {
    for (const [claim, change, status, code, ofAllProjects = status] of ends) {
      test(`ends when its key ${claim}`, async () => {
        const { name, key, cursors } = await newKey()
        const response = await waitWhile(path(cursors), key, () => change(name))
        const expected = what === 'the changes of all projects' ? ofAllProjects : status
        assert.equal(response.status, expected, JSON.stringify(response.body))
        if (expected !== 200) assert.equal(response.body.code, code)
      })
    }
  })
}

test('a request that waits for changes of all projects is woken by those in a project that its key gets meanwhile', async () => {
  const { name, key, cursors } = await newKey()
  await sql`delete from workgate.projects where key = 'EMPTY'`
  const [{ id: empty }] = (await sql`insert into workgate.projects (key, name) values ('EMPTY', 'x') returning id`) as unknown as [{ id: string }] // prettier-ignore
  const response = await waitWhile(
    `/changes?cursor=${cursors.all}&wait=${waitSeconds}`,
    key,
    () => sql`select workgate.set_key_projects(${name}, array[${web}, ${empty}]::uuid[])`,
  )
  assert.deepEqual(valuesOf(response.body.data, 'kind'), ['project'])
})

test('a request ends with its key, whose end was known when it came', async () => {
  const { name, key, cursors } = await newKey()
  await sql`update workgate.api_keys set expires_at = now() + interval '2 seconds' where name = ${name}`
  const { status, body } = await waitWhile(waits[2]![1](cursors), key, async () => {})
  assert.deepEqual([status, body.code], [401, 'KEY_EXPIRED'])
})

test('a request whose key stays as it is sleeps until something changes', async () => {
  const { name, key, cursors } = await newKey()
  const reads = () => other.metric('workgate_cache_misses_total') + other.metric('workgate_cache_hits_total')
  const { status } = await waitWhile(waits[2]![1](cursors), key, async () => {
    const before = reads()
    const polls = other.metric('workgate_freshness_checks_total')
    await until('its key was checked', () => other.metric('workgate_freshness_checks_total') >= polls + 5)
    assert.equal(reads(), before)
    await sql`select workgate.revoke_key(${name})`
  })
  assert.equal(status, 401)
})
