// Many concurrent writers, and lost responses: every acknowledged write exists exactly once. Against the artifact, over
// HTTP, with a connection for each client.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { valuesOf } from '../support/values.ts'
import { api, asService, issueKey, startArtifact } from '../support/workgate.ts'
import { id, insertData, web } from '../support/data.ts'
import { lockTasks, untilBlocked, whileLocked } from '../support/locks.ts'
import { until } from './fixtures/embedded.ts'
import { startProxy, type ConnectionHandler } from './fixtures/proxy.ts'

const { sql, url: databaseUrl } = await suiteDatabase(insertData)
const key = await issueKey(sql, 'writer')
const service = await startArtifact(asService(databaseUrl))
atEnd(service.close)

async function post(path: string, body: object, headers: Record<string, string> = {}, url = service.url) {
  const reply = await fetch(`${url}${api}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: reply.status, replayed: reply.headers.get('idempotency-replayed'), text: await reply.text() }
}

const atOnce = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))
const dataOf = ({ status, text }: { status: number; text: string }) => {
  assert.ok(status < 300, text)
  return JSON.parse(text).data
}
const newProject = async () => dataOf(await post('/projects', { name: 'Busy' })).id as string
const tally = (replies: { status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('concurrent writes:', () => {
  test('64 creations in one project are numbered 1 to 64', async () => {
    const projectId = await newProject()
    const tasks = await atOnce(64, (n) => post(`/projects/${projectId}/tasks`, { title: `Task ${n}` }))
    const numbers = tasks.map((reply) => dataOf(reply).number as number).sort((a, b) => a - b)
    assert.deepEqual(
      numbers,
      Array.from({ length: 64 }, (_, n) => n + 1),
    )
  })

  test('64 creations, half of them refused, leave no gap', async () => {
    const projectId = await newProject()
    const replies = await atOnce(64, (n) =>
      post(`/projects/${projectId}/tasks`, { title: 'x', ...(n % 2 > 0 && { parentId: id('task', 1) }) }),
    )
    assert.deepEqual(tally(replies), { 201: 32, 400: 32 })
    const rows = await sql`select number::int from workgate.tasks where project_id = ${projectId} order by number`
    assert.deepEqual(
      valuesOf(rows, 'number'),
      Array.from({ length: 32 }, (_, n) => n + 1),
    )
  })

  test('64 completions of one task make one change and get the same response', async () => {
    const { id: taskId } = dataOf(await post(`/projects/${web}/tasks`, { title: 'x' }))
    const replies = await atOnce(64, () => post(`/projects/${web}/tasks/${taskId}/complete`, {}))
    assert.deepEqual(tally(replies), { 200: 64 })
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    const history = await sql`select changes from workgate.task_history where task_id = ${taskId} and version > 1`
    assert.equal(history.length, 1)
    assert.equal(history[0]!['changes'].completedAt.to, dataOf(replies[0]!).completedAt)
  })

  test('completing and changing a task at the same time loses neither change', async () => {
    for (let n = 0; n < 20; n++) {
      const { id: taskId } = dataOf(await post(`/projects/${web}/tasks`, { title: 'x' }))
      const [reply] = await Promise.all([
        post(`/projects/${web}/tasks/${taskId}/complete`, {}),
        sql`update workgate.tasks set title = 'y', stage_id = ${id('stage', 2)} where id = ${taskId} and state = 'open'`,
      ])
      assert.equal(dataOf(reply).state, 'completed')
      const [row] = await sql`select state, title, version::int, stage_id from workgate.tasks where id = ${taskId}`
      assert.deepEqual([row!['state'], row!['stage_id']], ['completed', id('stage', 3)])
      assert.equal(row!['title'], row!['version'] === 3 ? 'y' : 'x')
    }
  })

  test('32 requests with one Idempotency-Key create one task; the others get a replay or 409', async () => {
    for (const round of ['a', 'b', 'c']) {
      const headers = { 'idempotency-key': `thirty-two-${round}` }
      const replies = await atOnce(32, () =>
        post(`/projects/${web}/tasks`, { title: headers['idempotency-key'] }, headers),
      )
      const { 201: answered = 0, 409: waiting = 0 } = tally(replies)
      assert.equal(answered + waiting, 32)
      const made = replies.filter(({ status }) => status === 201)
      assert.equal(new Set(made.map(({ text }) => text)).size, 1)
      assert.equal(made.filter(({ replayed }) => replayed === null).length, 1)
      const rows = await sql`select from workgate.tasks where title = ${headers['idempotency-key']}`
      assert.equal(rows.length, 1)
    }
  })

  test('32 creations with the same new tags, in any order, create each tag once', async () => {
    const projectId = await newProject()
    const names = ['delta', 'Alpha', 'charlie', 'Bravo', 'echo']
    const replies = await atOnce(32, (n) =>
      post(`/projects/${projectId}/tasks`, {
        title: 'x',
        tags: n % 2 ? names : names.map((name) => name.toUpperCase()).reverse(),
      }),
    )
    assert.deepEqual(tally(replies), { 201: 32 })
    const [row] = await sql`
      select count(distinct t.id)::int as tags, count(*)::int as uses
      from workgate.tags t join workgate.task_tags tt on tt.project_id = t.project_id and tt.tag_id = t.id
      where t.project_id = ${projectId}`
    assert.deepEqual({ ...row }, { tags: 5, uses: 160 })
  })

  test('32 projects with the same name get 32 different keys', async () => {
    const replies = await atOnce(32, () => post('/projects', { name: 'Namesake' }))
    assert.equal(new Set(replies.map((reply) => dataOf(reply).key)).size, 32)
  })

  test('only one of 16 projects with the same key is created', async () => {
    assert.deepEqual(tally(await atOnce(16, () => post('/projects', { name: 'x', key: 'ONLY' }))), { 201: 1, 409: 15 })
  })
})

test('a task is refused with an error for assigneeId if its assignee leaves the project at the same time', async () => {
  const leaving = await sql.reserve()
  await leaving`begin`
  await leaving`delete from workgate.project_members where project_id = ${web} and user_id = ${id('user', 3)}`
  const creating = post(`/projects/${web}/tasks`, { title: 'Too late', assigneeId: id('user', 3) })
  await untilBlocked(sql)
  await leaving`commit`
  leaving.release()
  const { status, text } = await creating
  assert.deepEqual([status, JSON.parse(text).errors[0].name], [400, 'assigneeId'])
  assert.equal((await sql`select from workgate.tasks where title = 'Too late'`).length, 0)
})

describe('a response lost between the commit and the client', () => {
  let muted = false
  // While muted, the proxy discards everything that the database sends, but still forwards statements to it.
  const handler: ConnectionHandler = (client, open) => {
    const upstream = open()
    client.pipe(upstream)
    upstream.on('data', (bytes: Buffer) => void (muted || client.write(bytes)))
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.destroy())
  }

  async function loseResponse(
    title: string,
    lose: (own: typeof service, proxy: Awaited<ReturnType<typeof startProxy>>) => unknown,
  ) {
    const proxy = await startProxy(databaseUrl)
    proxy.setHandler(handler)
    const own = await startArtifact({ DATABASE_URL: proxy.url, STATEMENT_TIMEOUT_MS: '3000' })
    const headers = { 'idempotency-key': `lost-${title}` }
    try {
      // The key is read before the write. Both use the one connection that this request opens.
      const path = `/projects/${web}/tasks`
      await post(path, { title: 'warm' }, {}, own.url)
      let lost = Promise.resolve({ status: 0 })
      await whileLocked(sql, lockTasks(web), async () => {
        lost = post(path, { title }, headers, own.url).catch(() => ({ status: 0 }))
        await untilBlocked(sql)
        muted = true
      })
      const written = () => sql`select from workgate.tasks where title = ${title}`
      await until('it is committed', async () => (await written()).length === 1)
      await lose(own, proxy)
      const { status } = await lost
      assert.ok(status === 0 || status === 503, String(status))
      muted = false
      const again = await post(path, { title }, headers)
      assert.deepEqual([again.status, again.replayed], [201, 'true'])
      assert.equal(dataOf(again).title, title)
      assert.equal((await written()).length, 1)
    } finally {
      muted = false
      await own.close()
      proxy.close()
    }
  }

  test('because the process was killed: the retry gets it, and there is one row', () =>
    loseResponse('killed', async ({ child }) => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }))

  test('because the database connection broke: 503, the retry gets it, and there is one row', () =>
    loseResponse('broken', (_, proxy) => proxy.setHandler(handler)))
})
