// Sources are followed by one process at a time, which says what is wrong, and goes on when it is not any more.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, test } from 'node:test'
import { createLog } from '../../src/runtime/log.ts'
import { followSources, type Following } from '../../src/sources/follow.ts'
import { insertData, web } from '../support/data.ts'
import { suiteDatabase, suitePool } from '../support/suite-database.ts'
import { startFakeGitea, type FakeGitea } from './fake-gitea.ts'

const { sql, url } = await suiteDatabase(insertData)
const db = suitePool(url, { poolSize: 4 })

let gitea: FakeGitea
let running: Following[] = []
const lines: string[] = []
let token = 'first'

beforeEach(async () => {
  gitea = await startFakeGitea()
  lines.length = 0
  await sql`delete from workgate.sources`
  await sql`delete from workgate.tasks where project_id = ${web}`
  await sql`insert into workgate.sources (project_id, tool, address, namespace, allow_local) values (${web}, 'gitea', ${`${gitea.address()}/ann/web`}, 'github@git.example:ann/web', true)`
  await sql`insert into workgate.source_progress (project_id) values (${web})`
})
afterEach(async () => {
  await Promise.all(running.map((following) => following.close()))
  running = []
  await gitea.close()
})

function follow({ intervalMs = 50, leaseSeconds = 60 } = {}) {
  const readToken = () => Promise.resolve(token)
  const log = createLog('debug', (line) => void lines.push(line))
  const following = followSources({ db, log, readToken, intervalMs, auditMs: 3_600_000, leaseSeconds })
  running.push(following)
  return following
}

const source = async () =>
  (await sql`select * from workgate.sources join workgate.source_progress using (project_id)`)[0]!

/** Waits until the source, or a task with the number, is as expected. */
async function until(is: (row: Awaited<ReturnType<typeof source>>) => boolean): Promise<void> {
  while (!is(await source()));
}
async function untilTitle(number: number, title: string): Promise<void> {
  for (let found = ''; found !== title; )
    [{ found }] = (await sql`select coalesce(max(title), '') as found from workgate.tasks where project_id = ${web} and number = ${number}`) as unknown as [{ found: string }] // prettier-ignore
}
const isFollowing = ({ state, problem }: { [name: string]: unknown }) => state === 'following' && problem === null

test('changes appear with the next round, and the history names the source', async () => {
  const { id } = gitea.create({ title: 'One' })
  follow()
  await untilTitle(id, 'One')
  gitea.wait(100)
  gitea.edit(id, { title: 'Two' })
  await untilTitle(id, 'Two')
  const [entry] = await sql`
    select h.channel, h.actor from workgate.task_history h join workgate.tasks t on t.project_id = h.project_id and t.id = h.task_id
    where t.project_id = ${web} and t.number = ${id} order by h.version desc limit 1`
  assert.deepEqual({ ...entry }, { channel: 'sync', actor: { name: `${new URL(gitea.address()).host}/ann/web` } })
  assert.ok(isFollowing(await source()))
})

test('a hint starts a round at once', async () => {
  const { id } = gitea.create({ title: 'One' })
  const following = follow({ intervalMs: 3_600_000 })
  await untilTitle(id, 'One')
  gitea.wait(100)
  gitea.edit(id, { title: 'Two' })
  following.hint(web)
  await untilTitle(id, 'Two')
})

test('a second process does not read while the first one follows, and goes on when it has stopped', async () => {
  const first = follow()
  await until(isFollowing)
  const { fence } = await source()
  follow({ leaseSeconds: 1 })
  await until(({ round }) => Number(round) > 5)
  assert.equal((await source())['fence'], fence)
  await first.close()
  await until(({ fence: now }) => now !== fence)
  await until(({ applied_round: applied, round }) => applied === round)
})

test('another process goes on after kill -9', async () => {
  const { id } = gitea.create({ title: 'One' })
  const args = [
    '--import',
    'tsx',
    '--import',
    './test/support/register.mjs',
    'test/sources/follow-in-process.ts',
    url,
    '2',
  ]
  const killed = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  await untilTitle(id, 'One')
  const { lease_holder: holder } = await source()
  follow({ leaseSeconds: 1 })
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  gitea.wait(100)
  gitea.edit(id, { title: 'Two' })
  await untilTitle(id, 'Two')
  assert.notEqual((await source())['lease_holder'], holder)
})

test('a source that cannot be read is failing, says why, deletes nothing, and recovers', async () => {
  const { id } = gitea.create({ title: 'One' })
  follow()
  await untilTitle(id, 'One')
  gitea.answer = () => ({ status: 404 })
  await until(({ state, problem }) => state === 'failing' && problem === 'the tracker answers with 404')
  const { synced_through: mark } = await source()
  await until(({ failures }) => Number(failures) > 1)
  assert.deepEqual((await source())['synced_through'], mark)
  assert.equal(
    (await sql`select from workgate.tasks where project_id = ${web} and number = ${id} and title = 'One'`).length,
    1,
  )
  gitea.answer = () => ({})
  await until(isFollowing)
  assert.equal(lines.filter((line) => line.includes('cannot be followed')).length, 1)
})

test('a repository that was renamed is followed at its new address, with the same rows', async () => {
  const { id } = gitea.create({ title: 'One' })
  follow()
  await untilTitle(id, 'One')
  const [before] = await sql`select id from workgate.tasks where project_id = ${web} and number = ${id}`
  gitea.rename('ann/new')
  gitea.wait(100)
  gitea.edit(id, { title: 'Two' })
  await untilTitle(id, 'Two')
  assert.equal((await source())['address'], `${gitea.address()}/ann/new`)
  const [after] = await sql`select id from workgate.tasks where project_id = ${web} and number = ${id}`
  assert.deepEqual(after, before)
})

test('a project is followed under its new key, and the old one makes no project', async () => {
  const { id } = gitea.create({ title: 'One' })
  follow({ leaseSeconds: 1 })
  await untilTitle(id, 'One')
  const projects = () => sql`select id from workgate.projects order by id`
  const before = await projects()
  await sql`update workgate.projects set key = 'NEW' where id = ${web}`
  gitea.wait(100)
  gitea.edit(id, { title: 'Two' })
  await untilTitle(id, 'Two')
  assert.deepEqual([...(await projects())], [...before])
  await sql`update workgate.projects set key = 'WEB' where id = ${web}`
})

test('a token is read again before each round, and is in no log line', async () => {
  token = 'first-token'
  follow()
  await until(isFollowing)
  token = 'second-token'
  while (!gitea.authorizations.has('token second-token')) await source()
  assert.ok(gitea.authorizations.has('token first-token'))
  gitea.answer = () => ({ status: 403 })
  await until(({ state }) => state === 'failing')
  assert.ok(!lines.some((line) => /(first|second)-token/.test(line)))
})

test('a private address is refused unless it is allowed', async () => {
  await sql`update workgate.sources set allow_local = false`
  follow()
  await until(({ problem }) => /private/.test(String(problem)))
  assert.deepEqual(gitea.requests, [])
})

test('a paused source is not read', async () => {
  follow({ leaseSeconds: 1 })
  await until(isFollowing)
  await sql`update workgate.sources set state = 'paused'`
  const untilEnded = (ms: number) => until(({ lease_until: at }) => (at as Date).getTime() + ms < Date.now())
  await untilEnded(0)
  gitea.requests.length = 0
  await untilEnded(500)
  assert.deepEqual(gitea.requests, [])
  const { round } = await source()
  await sql`update workgate.sources set state = 'following'`
  await until(({ round: now }) => Number(now) > Number(round))
})
