// Cursors of changes survive restarts and failovers. A cursor that knows commits that were lost expires, also after as
// many other transactions as were lost.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../../faults/fixtures/embedded.ts'
import { readLists, type Copy } from '../../support/lists-copy.ts'
import type { Server } from '../../support/server.ts'
import type { Reply, Sql } from '../../support/workgate.ts'
import { startPair } from './replicas.ts'
import { prepare, project, restartServer, startPostgres, startService } from './stage.ts'

interface Reader {
  copy: Copy
  cursor: string | undefined
}

/** Starts a service, and returns functions that keep copies through it. */
async function startReading(t: TestContext, url: string, key: string) {
  const service = await startService(t, { DATABASE_URL: url })

  async function get(path: string): Promise<Reply> {
    let reply: Reply | undefined
    await until('the service responds', async () => {
      reply = await service.send(`GET ${path}`, { key })
      return reply.status !== 503
    })
    return reply!
  }

  /** Reads until there is no more. Returns the status of the last response. */
  async function follow(reader: Reader): Promise<number> {
    for (let hasMore = true; hasMore;) {
      const { status, body } = await get(
        `/projects/${project}/changes?limit=50${reader.cursor ? `&cursor=${reader.cursor}` : ''}`,
      )
      if (status !== 200) return status
      for (const { kind, op, id, object } of body.data) {
        if (op === 'upsert') reader.copy.set(`${kind} ${id}`, JSON.stringify(object))
        else reader.copy.delete(`${kind} ${id}`)
      }
      reader.cursor = body.meta.cursor
      hasMore = body.meta.hasMore
    }
    return 200
  }

  async function begin(): Promise<Reader> {
    const reader = { copy: new Map(), cursor: undefined }
    assert.equal(await follow(reader), 200)
    return reader
  }

  async function assertContinues(reader: Reader) {
    const { cursor } = reader
    assert.equal(await follow(reader), 200)
    assert.notEqual(reader.cursor, cursor)
    assert.deepEqual(sorted(reader.copy), sorted(await readLists(async (path) => (await get(path)).body, project)))
  }

  async function assertExpired(reader: Reader) {
    assert.equal(await follow(reader), 410)
    await assertContinues({ copy: new Map(), cursor: undefined })
  }

  return { begin, follow, assertContinues, assertExpired, service }
}

const sorted = (copy: Copy) => [...copy].toSorted(([one], [other]) => (one < other ? -1 : 1))

/** Each of them in a transaction. The server may be starting. */
async function createTasks(sql: Sql, title: string, count: number) {
  for (let n = 0; n < count; n++) {
    await until('a task is created', () =>
      sql`insert into workgate.tasks (project_id, title) values (${project}, ${`${title} ${n}`})`.then(
        () => true,
        () => false,
      ),
    )
  }
}

const countTasks = async (sql: Sql, title: string) =>
  (await sql`select from workgate.tasks where project_id = ${project} and title like ${`${title} %`}`).length

/** More transactions than were lost, so that their ids are used again. */
const lost = 3
const replaced = 12

test('a standby that has everything is promoted: cursors continue, and were not made on the standby', async (t) => {
  const { primary, sql, replicaSql, replica, key, url } = await startPair(t, 'asynchronous')
  const { begin, assertContinues } = await startReading(t, url, key)
  const onStandby = await startService(t, { DATABASE_URL: replica.url('postgres') })
  const reader = await begin()
  await createTasks(sql, 'Replicated', lost)
  await until('all is replicated', async () => (await countTasks(replicaSql, 'Replicated')) === lost)
  const { status, body } = await onStandby.send(`GET /projects/${project}/changes?cursor=${reader.cursor}`, { key })
  assert.deepEqual([status, body.code], [503, 'UNAVAILABLE'])
  await primary.stop('SIGKILL')
  await replicaSql`select pg_promote()`
  await createTasks(replicaSql, 'After', replaced)
  await assertContinues(reader)
})

test('a standby that lacks commits is promoted: cursors that know them expire', async (t) => {
  const { primary, sql, replicaSql, key, url } = await startPair(t, 'asynchronous')
  const { begin, assertContinues, assertExpired } = await startReading(t, url, key)
  const earlier = await begin()
  await createTasks(sql, 'Replicated', 1)
  await until('all is replicated', async () => (await countTasks(replicaSql, 'Replicated')) === 1)
  const [{ pid }] = (await sql`select pid from pg_stat_replication`) as any
  process.kill(pid, 'SIGSTOP')
  await createTasks(sql, 'Lost', lost)
  const reader = await begin()
  await primary.stop('SIGKILL')
  process.kill(pid, 'SIGKILL')
  await replicaSql`select pg_promote()`
  await createTasks(replicaSql, 'After', replaced)
  assert.equal(await countTasks(replicaSql, 'Lost'), 0)
  await assertExpired(reader)
  await assertContinues(earlier)
})

test('a copy of the stopped server is restored: cursors from after the copy expire, those from before continue', async (t) => {
  const server = await startPostgres(t)
  const { sql, key } = await prepare(t, server.url('postgres'))
  const [{ data_directory: folder }] = (await sql`show data_directory`) as any
  const command = promisify(execFile)
  const url = server.url('postgres')
  const before = await startReading(t, url, key)
  const earlier = await before.begin()
  await server.stop()
  await command('cp', ['-a', folder, `${folder}-copy`])
  await restartServer(server)
  await createTasks(sql, 'Lost', lost)
  const reader = await before.begin()
  await before.service.close()
  await server.stop()
  await command('rm', ['-r', folder])
  await command('mv', [`${folder}-copy`, folder])
  await restartServer(server)
  await createTasks(sql, 'After', replaced)
  const { assertContinues, assertExpired } = await startReading(t, url, key)
  await assertExpired(reader)
  await assertContinues(earlier)
})

type Crash = (server: Server, walWriter: number) => Promise<void>
const crashes: [claim: string, crash: Crash][] = [
  [
    'the server is killed',
    async (server, walWriter) => {
      await server.stop('SIGKILL')
      process.kill(walWriter, 'SIGKILL')
      await restartServer(server)
    },
  ],
  [
    'one of its processes is killed, so its start time stays the same',
    async (_, walWriter) => void process.kill(walWriter, 'SIGKILL'),
  ],
]
for (const [claim, crash] of crashes) {
  test(`${claim}, and with synchronous_commit = off loses commits: cursors that know them expire`, async (t) => {
    // Nothing but the WAL writer writes the log before its buffers are full.
    const server = await startPostgres(t, { synchronous_commit: 'off', bgwriter_lru_maxpages: '0' })
    const { sql, key } = await prepare(t, server.url('postgres'))
    const { begin, assertContinues, assertExpired } = await startReading(t, server.url('postgres'), key)
    const earlier = await begin()
    await sql`checkpoint`
    const [{ pid }] = (await sql`select pid from pg_stat_activity where backend_type = 'walwriter'`) as any
    process.kill(pid, 'SIGSTOP')
    await createTasks(sql, 'Lost', lost)
    const reader = await begin()
    await crash(server, pid)
    await createTasks(sql, 'After', replaced)
    assert.equal(await countTasks(sql, 'Lost'), 0)
    await assertExpired(reader)
    await assertContinues(earlier)
  })
}

test('the server is stopped or killed and loses nothing: cursors continue', async (t) => {
  const server = await startPostgres(t)
  const { sql, key } = await prepare(t, server.url('postgres'))
  const { begin, assertContinues } = await startReading(t, server.url('postgres'), key)
  const reader = await begin()
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    await createTasks(sql, 'Before', 1)
    await server.stop(signal)
    await restartServer(server)
    await createTasks(sql, 'After', 1)
    await assertContinues(reader)
  }
})
