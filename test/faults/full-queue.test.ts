// A full queue refuses statements of the keys with the most, and none of the service. Statements join the queue in one
// turn of the event loop, and only those that leave it within a few statements have to succeed, so no assertion depends
// on time.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerOfKey, type Owner } from '../../src/db/pool/connection-shares.ts'
import { openPool } from '../../src/db/pool/pool.ts'
import { suiteDatabase } from '../support/suite-database.ts'

/** For a pool with one connection. */
const maxWaiting = 50
const maxBlocked = 38

const statement = 'select 1'
const waitsForLock = 'select pg_advisory_xact_lock_shared(1)'
/** Fails immediately while the lock is held, and is then known to be blocked. */
const blockedStatement = `select pg_advisory_xact_lock_shared(1) from set_config('lock_timeout', '1', true) c where c <> ''`

const [greedy, victim] = [ownerOfKey('greedy'), ownerOfKey('victim')]
const keys = (count: number) => Array.from({ length: count }, (_, n) => ownerOfKey(`key ${n}`))

const database = await suiteDatabase()

/** Fills the queue while the only connection is in use. `outcomes` returns what became of the statements of an owner. */
async function whileConnectionInUse(
  fill: (add: (owner: Owner, count?: number, text?: string) => void) => void,
): Promise<(owner: Owner, text?: string) => string[]> {
  const pool = openPool({ target: { url: database.url }, poolSize: 1, statementTimeoutMs: 60_000 }, 'custom')
  const session = await database.sql.reserve()
  const sent: { owner: Owner; text: string; outcome: Promise<string> }[] = []
  try {
    await session`select pg_advisory_lock(1)`
    await assert.rejects(pool.run(blockedStatement, [], { owner: greedy }), /55P03/)
    const first = pool.run(waitsForLock, [], { owner: greedy })
    fill((owner, count = 1, text = statement) => {
      for (let n = 0; n < count; n++) {
        const outcome = pool.run(text, [], { owner }).then(
          () => 'succeeds',
          (error: Error) => (/too many/.test(error.message) ? 'is refused' : 'succeeds later'),
        )
        sent.push({ owner, text, outcome })
      }
    })
    await session`select pg_advisory_unlock(1)`
    await first
    const all = await Promise.all(sent.map(async (one) => ({ ...one, outcome: await one.outcome })))
    return (owner, text = statement) =>
      all.filter((one) => one.owner === owner && one.text === text).map(({ outcome }) => outcome)
  } finally {
    session.release()
    await pool.close()
  }
}

const count = (outcomes: string[], outcome: string) => outcomes.filter((one) => one === outcome).length

describe('a full queue', () => {
  test('refuses statements of the key with the most, and none of a key with few', async () => {
    const outcomes = await whileConnectionInUse((add) => {
      add(greedy, maxWaiting)
      add(victim, 5)
    })
    assert.deepEqual(outcomes(victim), Array(5).fill('succeeds'))
    assert.equal(count(outcomes(greedy), 'is refused'), 5)
  })

  test('refuses no statement of the service, however many keys wait', async () => {
    const outcomes = await whileConnectionInUse((add) => {
      for (const key of keys(maxWaiting)) add(key)
      add('service', 3)
    })
    assert.deepEqual(outcomes('service'), Array(3).fill('succeeds'))
  })

  test('displaces no statement of the service, although it has the most', async () => {
    const outcomes = await whileConnectionInUse((add) => {
      add('service', 3)
      for (const key of keys(maxWaiting)) add(key)
    })
    assert.deepEqual(outcomes('service'), Array(3).fill('succeeds'))
    assert.equal(keys(maxWaiting).filter((key) => outcomes(key)[0] === 'is refused').length, 3)
  })
})

describe('a blocked statement', () => {
  test('displaces no other statement while the queue has room', async () => {
    const outcomes = await whileConnectionInUse((add) => {
      add(greedy, maxBlocked)
      add(victim, 1, blockedStatement)
    })
    assert.equal(count(outcomes(greedy), 'is refused'), 0)
    assert.equal(count(outcomes(victim, blockedStatement), 'is refused'), 0)
  })

  test('displaces only blocked statements if too many of them wait', async () => {
    const blockedKeys = keys(maxBlocked / 2)
    const outcomes = await whileConnectionInUse((add) => {
      add(greedy, 10)
      for (const key of blockedKeys) add(key, 2, blockedStatement)
      add(victim, 1, blockedStatement)
    })
    assert.equal(count(outcomes(greedy), 'is refused'), 0)
    assert.equal(count(outcomes(victim, blockedStatement), 'is refused'), 0)
    assert.equal(blockedKeys.filter((key) => outcomes(key, blockedStatement).includes('is refused')).length, 1)
  })

  test('leaves a quarter of the queue to other statements', async () => {
    const outcomes = await whileConnectionInUse((add) => {
      add(greedy, maxWaiting, blockedStatement)
      add(victim, 5)
    })
    assert.equal(count(outcomes(greedy, blockedStatement), 'is refused'), maxWaiting - maxBlocked)
    assert.deepEqual(outcomes(victim), Array(5).fill('succeeds'))
  })
})
