// Statements that are known to be blocked by a lock leave connections to the others of the same key. Locks are held
// until a test has seen what it needs, so no assertion depends on time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownerOfKey, type Owner } from '../../src/db/pool/connection-shares.ts'
import { openPool } from '../../src/db/pool/pool.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { until } from './fixtures/embedded.ts'

const poolSize = 10
/** The connections of one key while others are active. */
const share = 2
const maxBlocked = 7

const statement = 'select 1'
const waitsForLock = (lock: number) => `select pg_advisory_xact_lock_shared(${lock})`
/** The same text fails immediately, or waits as long as it takes. */
const blockable = `select pg_advisory_xact_lock_shared(1) from set_config('lock_timeout', $1, true) c where c <> ''`
const [failsAtOnce, waits] = [['1'], ['0']]

const [greedy, other] = [ownerOfKey('greedy'), ownerOfKey('other')]

const database = await suiteDatabase()

/** Runs statements while locks 1 and 2 are held, `blockable` being known to be blocked for the greedy key. */
async function whileLocked(
  work: (
    pool: ReturnType<typeof openPool>,
    add: (owner: Owner, text: string, values?: string[]) => void,
  ) => Promise<void>,
) {
  const pool = openPool({ target: { url: database.url }, poolSize, statementTimeoutMs: 60_000 }, 'custom')
  const session = await database.sql.reserve()
  const statements: Promise<unknown>[] = []
  try {
    await session`select pg_advisory_lock(1), pg_advisory_lock(2)`
    await assert.rejects(pool.run(blockable, failsAtOnce, { owner: greedy }), /55P03/)
    await work(pool, (owner, text, values) => void statements.push(pool.run(text, values, { owner }).catch(() => {})))
  } finally {
    await session`select pg_advisory_unlock_all()`
    session.release()
    await Promise.all(statements)
    await pool.close()
  }
}

const untilInUse = (pool: ReturnType<typeof openPool>, count: number) =>
  until(`${count} connections are used`, () => pool.counts.inUse === count)

test('blocked statements leave some of the share of their key to others', async () => {
  await whileLocked(async (pool, add) => {
    add(other, waitsForLock(2))
    for (let n = 0; n < 2 * share; n++) add(greedy, blockable, waits)
    await pool.run(statement, [], { owner: greedy })
    await untilInUse(pool, 1 + share - 1)
  })
})

test('blocked statements leave connections to others of a key that is alone, even if the service is blocked, too', async () => {
  await whileLocked(async (pool, add) => {
    for (let n = 0; n < poolSize; n++) add(greedy, blockable, waits)
    add('service', waitsForLock(1))
    await pool.run(statement, [], { owner: greedy })
    await untilInUse(pool, maxBlocked + 1)
  })
})

test('a key that is alone uses all connections while the service is blocked', async () => {
  await whileLocked(async (pool, add) => {
    add('service', waitsForLock(1))
    for (let n = 0; n < poolSize; n++) add(greedy, waitsForLock(2))
    await untilInUse(pool, poolSize)
  })
})

test('a key that is alone uses all connections while a blocked statement of the service waits for one', async () => {
  await whileLocked(async (pool, add) => {
    for (let n = 0; n < maxBlocked; n++) add(greedy, blockable, waits)
    add('service', blockable, waits)
    for (let n = 0; n < poolSize - maxBlocked; n++) add(greedy, waitsForLock(2))
    await untilInUse(pool, poolSize)
    assert.equal(pool.counts.waiting, 1)
  })
})

test('a key uses all connections once no other key is active, even if no statement ends', async () => {
  await whileLocked(async (pool, add) => {
    await pool.run(statement, [], { owner: other })
    for (let n = 0; n < poolSize; n++) add(greedy, waitsForLock(2))
    await untilInUse(pool, poolSize)
  })
})

test('a blocked statement runs again although its key uses connections all the time', async () => {
  await whileLocked(async (pool, add) => {
    add(other, waitsForLock(2))
    add(greedy, waitsForLock(2))
    const again = pool.run(blockable, failsAtOnce, { owner: greedy })
    await assert.rejects(again, /55P03/)
  })
})
