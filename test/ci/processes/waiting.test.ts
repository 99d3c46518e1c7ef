// Thousands of long polls, on a server of the test's own without other activity.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test, type TestContext } from 'node:test'
import { connect as connectTo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../../src/config/config.ts'
import { openDatabase, freshnessConnections, type Database } from '../../../src/db/database.ts'
import { type Runner } from '../../../src/db/pool/pool.ts'
import { query } from '../../../src/db/statements/query.ts'
import { prepare } from '../../../src/db/statements/template.ts'
import { createService } from '../../../src/service.ts'
import { findNewEntries, pollIntervalMs } from '../../../src/api/follow-journals.ts'
import { id, web } from '../../support/data.ts'
import { serverSuite } from '../../support/artifact-suite.ts'
import { rounds } from '../../support/environment.ts'
import { quiet } from '../../support/log.ts'
import { api, startArtifact } from '../../support/workgate.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { restartServer } from '../faults/stage.ts'
import compactNextTalliesSql from '../../../sql/analytics/compact-next-tallies.sql'
import beginEpochSql from '../../../sql/changes/begin-epoch.sql'
import compactMarksSql from '../../../sql/freshness/compact-marks.sql'
import dropOldEntriesSql from '../../../sql/freshness/drop-old-entries.sql'
import versionsSql from '../../../sql/freshness/versions.sql'
import verifyTaskSql from '../../../sql/work-packets/verify-task.sql'
import purgeIdempotencyRecordsSql from '../../../sql/writes/purge-idempotency-records.sql'

const tasks = 1_000
const many = rounds(300, tasks)
const task = id('task', 1)
const nth = (n: number) => id('task', 1_000 + n)

const { server, url, sql, key } = await serverSuite({ autovacuum: 'off' }, 2)
await sql`
  insert into workgate.tasks (project_id, id, title)
  select ${web}, ('00000000-0000-7000-8006-' || lpad((1000 + n)::text, 12, '0'))::uuid, 'Task ' || n
  from generate_series(0, ${tasks - 1}) n`

const pathOf = (taskId: string, query: string) =>
  `${api}/projects/${web}/tasks/${taskId}/work-packet/verification?${query}`
const change = (values: string, taskId = task) =>
  sql.unsafe(`update workgate.tasks set ${values} where id = '${taskId}'`)
const unmatchedDigest = `digest=sha256:${'0'.repeat(64)}`

interface Data {
  verified: boolean
  version: number
  digest: string
}

type Statement = 'poll' | 'check' | 'read' | 'other'

const background = [
  compactNextTalliesSql,
  compactMarksSql,
  beginEpochSql,
  dropOldEntriesSql,
  purgeIdempotencyRecordsSql,
].map((sql) => prepare(sql).text)
const poll = findNewEntries.statementFor({ base: null }).text
const check = query(versionsSql).statementFor({ scopes: [], names: null }).text
const read = verifyTaskSql.slice(0, 100)

/** Starts the service in this process and records its statements. */
function openService(t: TestContext, meanwhile: (statement: Statement) => Promise<unknown> = async () => {}) {
  const config = readConfig({ RATE_LIMIT_PER_MINUTE: '0', DATABASE_URL: url }, () => '')
  const db = openDatabase({ target: { url: config.DATABASE_URL! }, poolSize: 10, statementTimeoutMs: 30_000 })
  const statements: Statement[] = []
  const counts = { now: 0, max: 0 }
  const counted = (runner: Runner): Runner => ({
    async run(text, values, options) {
      // Background work of the service would run at any time.
      if (background.includes(text)) return [{ last: null, some: false, age: 0 }] as never
      const statement = text === poll ? 'poll' : text === check ? 'check' : text.startsWith(read) ? 'read' : 'other'
      statements.push(statement)
      const reads = Number(statement === 'read')
      counts.max = Math.max(counts.max, (counts.now += reads))
      const rows = await runner.run<never>(text, values, options).finally(() => (counts.now -= reads))
      await meanwhile(statement)
      return rows
    },
  })
  const { run } = counted(db)
  const freshnessChecks = counted(db.freshnessChecks)
  const server = { directory: { run }, checks: freshnessChecks }
  const counting: Database = { ...db, run, freshnessChecks, servers: async () => [server] }
  const service = createService(config, counting, quiet)
  cleanUp(t, () => db.close())
  cleanUp(t, () => service.endWaiting())
  /** Returns the response, and a function that makes the client leave. */
  function send(taskId: string, query: string) {
    let leave = () => {}
    let hasLeft = false
    const response = service.app({
      method: 'GET',
      target: pathOf(taskId, query),
      headers: { authorization: [`Bearer ${key}`] },
      address: '192.0.2.1',
      hasBody: false,
      readBody: async () => undefined,
      onDisconnect: (listener) => (leave = listener),
      isDisconnected: () => hasLeft,
    })
    return {
      response,
      leave() {
        hasLeft = true
        leave()
      },
    }
  }
  const waiters = () => service.metrics().find(({ name }) => name === 'workgate_waiters')!.samples[0]![1]
  let asked = 0
  /** Returns a promise for the response, and a function that waits until the request waits. */
  function ask(taskId: string, query: string) {
    const count = ++asked
    const { response } = send(taskId, query)
    return {
      begun: () => until('it waits', () => waiters() >= count),
      answer: response.then(({ body }) => {
        asked--
        return (JSON.parse(Buffer.from(body as Uint8Array).toString()) as { data: Data }).data
      }),
    }
  }
  async function beginMany(count: number, query: string) {
    for (let n = 0; n < count; n += 50) {
      const some = Array.from({ length: Math.min(50, count - n) }, (_, k) => ask(nth(n + k), query).begun())
      await Promise.all(some)
    }
  }
  /** The number of such statements from the nth on. */
  const count = (of: Statement, n = 0) => statements.slice(n).filter((statement) => statement === of).length
  /**
   * Waits for that many polls, and returns the numbers of polls, of checks of the key, and of other statements in that time.
   * A poll that is already running does not include requests that begin to wait.
   */
  const during = async (wanted: number) => {
    await until('it polls', () => count('poll') > 1)
    const before = statements.length
    await until('it has polled', () => count('poll', before) >= wanted)
    const [polls, checks] = [count('poll', before), count('check', before)]
    return { polls, checks, others: statements.length - before - polls - checks }
  }
  return { send, ask, beginMany, during, statements, count, counts }
}

/** Blocks every statement that formats this moment until it is released. */
async function lockMomentOf(moment: string, t: TestContext) {
  const [before] = await sql`select pg_get_functiondef('workgate.iso'::regproc) as iso`
  const session = await sql.reserve()
  const release = () => session`select pg_advisory_unlock_all()`
  await session`select pg_advisory_lock(1)`
  await sql.unsafe(`
    create or replace function workgate.iso(moment timestamptz) returns text
    language plpgsql stable strict parallel safe
    as $$
    begin
      if moment = '${moment}' then
        perform pg_advisory_xact_lock_shared(1);
      end if;
      return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
    end
    $$`)
  cleanUp(t, async () => {
    await release()
    session.release()
    await sql.unsafe(before!['iso'])
  })
  return release
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** A check begins with each poll, so one can be just before the time or after it. */
function assertPolls({ polls, checks, others }: { polls: number; checks: number; others: number }) {
  assert.equal(others, 0)
  assert.ok(Math.abs(checks - polls) <= 1, `${checks} checks of the key in ${polls} polls`)
}

describe('the poller', () => {
  test('responds within a few polls of the commit, and polls often enough', async (t) => {
    const { ask, count } = openService(t)
    const pollsUntilResponse: number[] = []
    for (let n = 0; n < 20; n++) {
      const state = n % 2 === 0 ? 'completed' : 'open'
      const { begun, answer } = ask(task, `state=${state}&wait=30`)
      await begun()
      await sleep((n * 37) % 150)
      await change(`state = '${state}'`)
      const committed = count('poll')
      assert.ok((await answer).verified)
      pollsUntilResponse.push(count('poll') - committed)
    }
    // The poll that sees the change, and one while the task is read.
    assert.ok(median(pollsUntilResponse) <= 2, pollsUntilResponse.join())
    assert.ok(2 * pollIntervalMs < 250)
  })

  for (const query of ['state=completed', unmatchedDigest]) {
    test(`reads nothing else than its entries and the version of the key while nothing changes, however many wait (${query.slice(0, 8)})`, async (t) => {
      const { ask, beginMany, during } = openService(t)
      await ask(nth(0), `${query}&wait=30`).begun()
      const alone = await during(5)
      assertPolls(alone)
      await beginMany(many - 1, `${query}&wait=30`)
      const together = await during(5)
      assertPolls(together)
    })
  }

  // prettier-ignore
  const wakes: [name: string, query: string, change: (during: (polls: number) => Promise<unknown>) => Promise<unknown>][] = [
    ['a transaction that was open for several polls', 'minVersion=2', async (during) => {
      await sql.begin(async (sql) => {
        await sql.unsafe(`update workgate.tasks set title = 'Late' where id = '${nth(0)}'`)
        await change(`title = 'Meanwhile'`)
        await during(3)
      })
    }],
    ['more changes than a poll reads', 'minVersion=2', () =>
      sql.begin(async (sql) => {
        for (let n = 0; n < 12; n++) await sql`update workgate.tasks set title = title || '!' where project_id = ${web}`
      })],
    ['rows that were changed without triggers, and touch()', 'minVersion=9', () =>
      sql.begin(async (sql) => {
        await sql`alter table workgate.tasks disable trigger user`
        await sql`update workgate.tasks set version = 9 where id = ${nth(0)}`
        await sql`alter table workgate.tasks enable trigger user`
        await sql`select workgate.touch(), workgate.enable_triggers()`
      })],
  ]
  for (const [name, query, write] of wakes) {
    test(`notices ${name}`, async (t) => {
      await sql`delete from workgate.tasks where id = ${nth(0)}`
      await sql`insert into workgate.tasks (project_id, id, title) values (${web}, ${nth(0)}, 'Again')`
      const { ask, during } = openService(t)
      const { begun, answer } = ask(nth(0), `${query}&wait=30`)
      await begun()
      await during(1)
      const began = performance.now()
      await write(during)
      assert.ok((await answer).verified)
      assert.ok(performance.now() - began < 15_000, 'the response comes before half of the wait is over')
    })
  }

  test('wakes nobody when something else has changed', async (t) => {
    const { beginMany, during } = openService(t)
    await beginMany(100, 'state=completed&wait=30')
    await during(2)
    await change(`title = title || '!'`)
    const after = await during(3)
    assertPolls(after)
  })

  test('reads a task once when it has changed without meeting the condition', async (t) => {
    const { ask, statements, count, during } = openService(t)
    await ask(task, 'state=cancelled&wait=30').begun()
    await during(2)
    const before = statements.length
    await change(`title = title || '!'`)
    await during(4)
    assert.equal(count('read', before), 1)
  })

  test('reads a task once for all requests that wait for it, and no key again', async (t) => {
    const { ask, during, statements, count } = openService(t)
    await change(`priority = 'low'`)
    const waits = Array.from({ length: 40 }, () => ask(task, 'priority=high&wait=30'))
    await Promise.all(waits.map(({ begun }) => begun()))
    await during(2)
    const before = statements.length
    await change(`priority = 'high'`)
    for (const { answer } of waits) assert.ok((await answer).verified)
    assert.equal(count('read', before), 1)
    assert.equal(count('other', before), 0)
    assert.ok(count('check', before) < waits.length / 2)
  })

  test('runs few statements at once, however many tasks it has to read', async (t) => {
    const { beginMany, during, counts } = openService(t)
    await beginMany(many, `${unmatchedDigest}&wait=30`)
    counts.max = 0
    await change(`title = title || '!'`)
    await during(2)
    assert.ok(counts.max > 0 && counts.max <= 2, `${counts.max} at once`)
  })

  test('serves other requests while a task takes long to read, and never reads that task twice at once', async (t) => {
    const slow = id('task', 2)
    await change(`state = 'open', created_at = '2001-01-01'`, slow)
    await change(`state = 'open'`)
    const { ask, statements, count } = openService(t)
    const [first, other] = [ask(slow, 'state=completed&wait=30'), ask(task, 'state=completed&wait=30')]
    await Promise.all([first.begun(), other.begun()])
    const release = await lockMomentOf('2001-01-01', t)
    const before = statements.length
    await change(`state = 'completed'`, slow)
    await until('the slow one is read', async () => {
      const waiting = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'advisory'`
      return waiting.length > 0
    })
    await change(`state = 'completed'`)
    const [faster] = await Promise.race([
      first.answer.then((data) => ['the slow one', data]),
      other.answer.then((data) => ['the other one', data]),
    ])
    assert.equal(faster, 'the other one')
    await release()
    assert.ok((await first.answer).verified)
    assert.ok((await other.answer).verified)
    assert.equal(count('read', before), 2)
  })

  test('lets others read while the requests that wait read slowly, and ends those that get no turn', async (t) => {
    const slow = id('task', 2)
    await change(`created_at = '2002-01-01'`, slow)
    const { send, statements, count } = openService(t)
    const release = await lockMomentOf('2002-01-01', t)
    for (const state of ['completed', 'cancelled', 'open']) void send(slow, `state=${state}&wait=30`)
    await until('two of them read', async () => {
      const waiting = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'advisory'`
      return waiting.length === 2
    })
    const before = statements.length
    const left = send(task, 'minVersion=900&wait=30')
    const late = await send(task, 'minVersion=901&wait=0.3').response
    assert.deepEqual([late.status, /already waiting/.test(String(late.body))], [503, true])
    left.leave()
    assert.equal((await left.response).status, 499)
    assert.equal(count('read', before), 0)
    assert.equal((await send(task, 'minVersion=902').response).status, 200)
    assert.equal(count('read', before), 1)
    // Its time is up before its turn, but other reads wait for a connection, too.
    const short = send(task, 'minVersion=903&wait=0.01').response
    await sleep(20)
    await release()
    assert.equal((await short).status, 200)
  })

  const spend = () => sql`
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
    values (${web}, ${task}, ${id('user', 1)}, '2026-01-01', '2026-01-01T10:00Z', '2026-01-01T11:00Z')`
  const unspend = () => sql`delete from workgate.time_entries where task_id = ${task}`

  for (const what of ['row', 'packet'] as const) {
    test(`misses no change of the ${what}, after whichever statement of the request it is committed`, async (t) => {
      await unspend()
      await spend()
      const { digest } = await openService(t).ask(task, 'minVersion=1').answer
      // A key that is read, a version that is checked, a task that is read, the first poll, and the same again.
      for (let place = 1; place <= 8; place++) {
        await unspend()
        const { version } = await openService(t).ask(task, 'minVersion=1').answer
        let statements = 0
        const { ask } = openService(t, async () => {
          if (++statements === place) await (what === 'packet' ? spend() : change(`title = title || '!'`))
        })
        const expected = what === 'packet' ? `digest=${digest}` : `minVersion=${version + 1}`
        const began = performance.now()
        assert.ok((await ask(task, `${expected}&wait=30`).answer).verified)
        assert.ok(statements >= place)
        assert.ok(performance.now() - began < 15_000, 'the response comes before half of the wait is over')
      }
    })
  }
})

describe('the artifact', () => {
  test('holds 1,000 long polls without a connection each, and responds to all of them', async (t) => {
    const { ask, hold, isFull } = await start(t, { MAX_WAITERS: String(2 * tasks), DATABASE_POOL: '3' })
    await change(`state = 'open'`)
    const waits: Promise<Reply>[] = []
    for (let n = 0; n < tasks; n += 50) {
      for (let k = 0; k < 50; k++) waits.push(hold('state=completed&wait=30'))
      await ask('minVersion=1')
    }
    await until('all wait', isFull)
    const backends = await sql`
      select state from pg_stat_activity
      where application_name like 'workgate%' and (state <> 'idle' or state_change > now() - interval '1 year')`
    assert.ok(backends.length <= 3 + freshnessConnections, `${backends.length} connections`)
    assert.ok(
      backends.filter(({ state }) => state !== 'idle').length <= 1,
      'all connections except the one that polls are idle',
    )
    await change(`state = 'completed'`)
    for (const { status, body } of await Promise.all(waits)) assert.deepEqual([status, body.data.verified], [200, true])
  })

  test('waits no longer for a client that sends no more, which has probably left', async (t) => {
    const service = await start(t, { MAX_WAITERS: '1' })
    const { port, hostname } = new URL(service.url)
    const began = performance.now()
    /** Retries, as hold() does. */
    async function askAndEnd(): Promise<string> {
      const socket = connectTo({ port: Number(port), host: hostname, allowHalfOpen: true })
      socket.write(`GET ${pathOf(task, 'state=cancelled&wait=30')} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`)
      let response = ''
      socket.setEncoding('utf8').on('data', (some: string) => (response += some))
      await until('it waits, or the slot is taken', async () => response !== '' || service.isFull())
      socket.end()
      await once(socket, 'close')
      return /already waiting/.test(response) ? askAndEnd() : response
    }
    assert.match(await askAndEnd(), /^HTTP\/1.1 499 /)
    assert.ok(performance.now() - began < 15_000, 'the response comes before half of the wait is over')
  })

  test('responds with 503 when the database stops, does not poll it, and waits again once it is up', async (t) => {
    const { ask, hold, isFull } = await start(t, { MAX_WAITERS: '40' })
    const inProcess = openService(t)
    await change(`state = 'open'`)
    const waits = Array.from({ length: 20 }, () => hold('state=completed&wait=30'))
    await until('all wait', isFull)
    const { begun, answer } = inProcess.ask(task, 'state=completed&wait=30')
    await begun()
    await server.stop('SIGKILL')
    for (const { status, headers, body } of await Promise.all(waits)) {
      assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'UNAVAILABLE', '1'])
    }
    assert.equal(await answer, undefined)
    const { length } = inProcess.statements
    await sleep(5 * pollIntervalMs)
    assert.equal(inProcess.statements.length, length, 'no request waits any more')
    await restartServer(server)
    await until('it responds', async () => (await ask('minVersion=1')).status === 200)
    const waiting = hold('state=completed&wait=30')
    await sleep(pollIntervalMs)
    await change(`state = 'completed'`)
    assert.ok((await waiting).body.data.verified)
  })
})

interface Reply {
  status: number
  headers: Headers
  body: any
}

async function start(t: TestContext, environment: Record<string, string>) {
  const settings = { DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: '0', ...environment }
  const service = await startArtifact(settings)
  cleanUp(t, () => service.close())
  async function ask(query: string): Promise<Reply> {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(service.url + pathOf(task, query), { headers })
    const body: any = await response.json()
    return { status: response.status, headers: response.headers, body }
  }
  /** Retries, because a check for a free slot may have taken the slot. */
  async function hold(query: string): Promise<Reply> {
    const reply = await ask(query)
    return /already waiting/.test(reply.body.detail) ? hold(query) : reply
  }
  /** Returns whether one more request cannot wait. */
  const isFull = async () => (await ask('priority=urgent&wait=1')).status === 503
  return { url: service.url, ask, hold, isFull }
}
