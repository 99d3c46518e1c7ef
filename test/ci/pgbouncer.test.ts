// PgBouncer between the service and the server: npm test -- --postgres FOLDER test/ci/pgbouncer.test.ts
// Requires Debian's package. The contract suite with --pgbouncer tests everything else through it.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { DatabaseUnavailable } from '../../src/db/errors.ts'
import { migrate, pendingMigrations } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { cleanUp, until } from '../faults/fixtures/embedded.ts'
import { insertData, web } from '../support/data.ts'
import { run } from '../support/environment.ts'
import { quiet } from '../support/log.ts'
import { startPooler } from '../support/pooler.ts'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { api, command, connect, freshDatabase, issueKey, startArtifact } from '../support/workgate.ts'

const database = await suiteDatabase(insertData)
const { sql } = database
await setSerializable(database)
// One connection to the server: anything left on it would be visible to the next client.
const pooler = await startPooler(run().server, { default_pool_size: '1', query_wait_timeout: '1' })
atEnd(pooler.remove)
const address = pooler.through(database.url)

const open = (url: string, statementTimeoutMs = 10_000): Database =>
  openDatabase({ target: { url, pooler: 'transaction' }, poolSize: 4, statementTimeoutMs })

/** Sets another default isolation level: the service must set its own instead of using the database's default. */
function setSerializable({ sql, url }: Pick<typeof database, 'sql' | 'url'>) {
  return sql.unsafe(
    `alter database ${new URL(url).pathname.slice(1)} set default_transaction_isolation = 'serializable'`,
  )
}

const settingsSql = `
  select
    current_setting('statement_timeout') as timeout, current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('plan_cache_mode') as plans, current_setting('jit') as jit,
    current_setting('max_parallel_workers_per_gather') as workers, current_setting('TimeZone') as zone,
    current_setting('transaction_isolation') as isolation,
    (select count(*)::int from pg_prepared_statements) as prepared, pg_backend_pid() as pid`

describe('on a connection shared with other clients', () => {
  test('the service has the settings that it needs, and leaves nothing behind', async (t) => {
    const other = connect(address, { max: 1, prepare: false })
    cleanUp(t, () => other.end({ timeout: 1 }))
    const [before] = (await other.unsafe(settingsSql)) as any[]
    const db = open(address, 1_234)
    cleanUp(t, () => db.close())
    const [statement] = await db.run<any>(`${settingsSql} where $1::int = 1`, [1])
    const [quick] = await db.freshnessChecks.run<any>(settingsSql)
    const common = { isolation: 'read committed', jit: 'off', workers: '0', zone: 'UTC', prepared: 0 }
    const settings = { ...common, timeout: '1234ms', idle: '1234ms' }
    assert.equal(before.isolation, 'serializable')
    assert.deepEqual({ ...statement }, { ...settings, plans: 'force_custom_plan', pid: before.pid })
    assert.deepEqual({ ...quick }, { ...settings, plans: 'force_generic_plan', pid: before.pid })
    assert.deepEqual([...(await other.unsafe(settingsSql))], [before])
  })

  test('PostgreSQL cancels a statement that takes too long, and the next one succeeds', async (t) => {
    const db = open(address, 200)
    cleanUp(t, () => db.close())
    await assert.rejects(db.run('select pg_sleep($1::int)', [30]), (error: any) => {
      assert.ok(error instanceof DatabaseUnavailable)
      assert.equal((error.cause as { code: string }).code, '57014')
      return true
    })
    assert.deepEqual([...(await db.run('select $1::int as n', [1]))], [{ n: 1 }])
    const [left] =
      await sql`select count(*)::int as n from pg_stat_activity where query like '%pg_sleep($1%' and state <> 'idle' and pid <> pg_backend_pid()`
    assert.equal(left!['n'], 0)
  })

  test('a failed statement is rolled back completely, and the next one succeeds', async (t) => {
    const db = open(address)
    cleanUp(t, () => db.close())
    await assert.rejects(db.run('select 1 / $1::int', [0]), { code: '22012' })
    await assert.rejects(
      db.run('insert into workgate.tags (project_id, name) values ($1, $2), ($1, $2)', [web, 'new']),
      {
        code: '23505',
      },
    )
    assert.deepEqual([...(await db.run(`select from workgate.tags where name = 'new'`))], [])
  })
})

test('several processes migrate at once through PgBouncer, and each migration runs once', async (t) => {
  const empty = await freshDatabase('template0')
  cleanUp(t, () => empty.drop())
  await setSerializable(empty)
  const wide = await startPooler(run().server)
  cleanUp(t, () => wide.remove())
  const db = open(wide.through(empty.url))
  await Promise.all([1, 2, 3].map(() => migrate(db, migrations, quiet)))
  assert.deepEqual(await pendingMigrations(db, migrations), [])
  await db.close()
})

// prettier-ignore
const refused: [claim: string, args: string[], more: Record<string, string>, code: number, message: RegExp][] = [
  ['a service without DATABASE_POOLER', ['serve'], {},                                 1, /unsupported startup parameter: .* \(08P01\); DATABASE_URL points at a connection pooler: set DATABASE_POOLER=transaction$/],
  ['demo, which needs a session',       ['demo'],  { DATABASE_POOLER: 'transaction' }, 2, /demo needs a database session/],
  ['another value',                      ['serve'], { DATABASE_POOLER: 'session' },     2, /DATABASE_POOLER must be transaction or empty/],
]

for (const [claim, args, more, code, message] of refused) {
  test(`${claim} is refused immediately, and the error says what to do`, async () => {
    const ended = await command(args, { DATABASE_URL: address, PORT: '0', ...more })
    assert.equal(ended.code, code)
    assert.match(ended.err, message)
    assert.ok(!(ended.out + ended.err).includes('waiting'), ended.err)
  })
}

test('the doctor checks and repairs through PgBouncer as well', async () => {
  const { out } = await command(['doctor', '--repair'], { DATABASE_URL: address, DATABASE_POOLER: 'transaction' })
  // The test server runs without fsync.
  assert.deepEqual(out.match(/^fault +\w+/gm), ['fault    durability'], out)
  for (const check of ['version', 'migrations', 'tallies']) assert.match(out, new RegExp(`^ok +${check} `, 'm'))
  const [left] = await sql`select count(*)::int as n from workgate.tally_deltas`
  assert.equal(left!['n'], 0, 'the repaired tallies are compacted')
})

describe('a service', { concurrency: false }, () => {
  let service: Awaited<ReturnType<typeof startArtifact>>
  let key: string
  let sent = 0

  before(async () => {
    key = await issueKey(sql, 'load')
    const settings = { DATABASE_URL: address, DATABASE_POOLER: 'transaction', RATE_LIMIT_PER_MINUTE: '0' }
    service = await startArtifact(settings)
  })
  after(() => service.close())

  /** Returns 200, 201, or a well-formed 503. A hang is an error. */
  async function ask(path: string, body?: object): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(30_000)
    const write = body && { method: 'POST', body: JSON.stringify(body) }
    const reply = await fetch(service.url + api + path, { headers, signal, ...write })
    const { code }: any = await reply.json()
    if (reply.status === (body ? 201 : 200)) return reply.status
    assert.deepEqual([reply.status, code, reply.headers.get('retry-after')], [503, 'UNAVAILABLE', '1'])
    return 503
  }

  const read = () => ask(`/projects?q=${++sent}`)
  const many = async (count: number) => new Set(await Promise.all(Array.from({ length: count }, read)))

  test('responds with 503 when no connection is free in time, and with 200 once one is', async (t) => {
    const other = connect(address, { max: 1, prepare: false })
    cleanUp(t, () => other.end({ timeout: 1 }))
    await other.begin(async (transaction) => {
      await transaction`select 1`
      assert.deepEqual(await many(8), new Set([503]))
    })
    await until('all succeed', async () => !(await many(8)).has(503))
  })

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    test(`loses no acknowledged write while PgBouncer is stopped with ${signal} and restarted`, async (t) => {
      const { pid } = service.child
      const counts: Record<number, number> = { 200: 0, 201: 0, 503: 0 }
      const acknowledged: string[] = []
      let runs = true
      const load = Array.from({ length: 8 }, async (_, n) => {
        for (let i = 0; runs; i++, await sleep(2)) {
          const title = `${signal} ${n} ${i}`
          const status = n % 2 ? await read() : await ask(`/projects/${web}/tasks`, { title })
          counts[status]!++
          if (status === 201) acknowledged.push(title)
        }
      })
      const restarts = (async () => {
        for (let round = 0; round < 3; round++) {
          const before = { ...counts }
          await until('both succeed', () => counts[200]! > before[200]! + 20 && counts[201]! > before[201]! + 20)
          await pooler.stop(signal)
          await until('requests are refused', () => counts[503]! > before[503]! + 20)
          await pooler.start()
        }
        await until('all succeed again', async () => !(await many(8)).has(503))
      })().finally(() => (runs = false))
      await Promise.all([restarts, ...load])
      assert.deepEqual(await many(20), new Set([200]))
      assert.deepEqual([service.child.pid, service.child.exitCode], [pid, null])
      const rows =
        await sql`select title from workgate.tasks where project_id = ${web} and title = any (${acknowledged})`
      assert.equal(rows.length, acknowledged.length)
      t.diagnostic(JSON.stringify(counts))
    })
  }
})
