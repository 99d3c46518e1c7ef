// Freshness checks share statements, and each returns a version that was read after the check was requested.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase, freshnessConnections, sourceAt } from '../../src/db/database.ts'
import { ownerOfKey } from '../../src/db/pool/connection-shares.ts'
import type { Runner } from '../../src/db/pool/pool.ts'
import { DatabaseUnavailable } from '../../src/db/errors.ts'
import { createFreshness } from '../../src/api/freshness/freshness.ts'
import { ClientDisconnected } from '../../src/api/problems/problem.ts'
import { app, id, insertData, web } from '../support/data.ts'
import { suiteDatabase, suitePool } from '../support/suite-database.ts'

const database = await suiteDatabase(insertData)
const db = suitePool(database.url)

/** Counts the statements: those running now, the most at once, and all. */
function counting() {
  const counts = { running: 0, maxRunning: 0, total: 0 }
  const runner: Runner = {
    run(text, values) {
      counts.total++
      counts.maxRunning = Math.max(counts.maxRunning, ++counts.running)
      return db.freshnessChecks.run<never>(text, values).finally(() => counts.running--)
    },
  }
  return { counts, freshness: createFreshness(runner, () => sourceAt(db)) }
}

const rename = (project: string) => database.sql`update workgate.projects set name = name || '!' where id = ${project}`

describe('checks', () => {
  test('that arrive together share one statement, each with its own project', async () => {
    const { counts, freshness } = counting()
    const projects = Array.from({ length: 100 }, (_, n) => [web, app, id('project', 500 + n)][n % 3]!)
    const confirmed = await Promise.all(projects.map((project) => freshness.check(project)))
    assert.equal(counts.total, 1)
    assert.equal(new Set(confirmed.map(({ version }) => version!.split(' ')[0])).size > 1, true)
    for (const [n, project] of projects.entries()) {
      assert.equal(confirmed[n]!.version, (await freshness.check(project)).version)
    }
  })

  test('that arrive while statements run share the next one', async () => {
    const { counts, freshness } = counting()
    const checks: Promise<unknown>[] = []
    for (let n = 0; n < 200; n++) {
      checks.push(freshness.check(web))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(checks)
    assert.ok(counts.total > 1 && counts.total < 200, `${counts.total} statements for 200 checks`)
    assert.deepEqual(freshness.counts, { checks: 200, statements: counts.total })
  })

  test('run beside a slow statement at once, and no more statements than connections run at a time', async () => {
    const { counts, freshness } = counting()
    const checks: Promise<unknown>[] = []
    await database.sql.begin(async (sql) => {
      await sql`lock table workgate.freshness_versions in access exclusive mode`
      for (let n = 0; n < 50; n++) {
        checks.push(freshness.check(web))
        await new Promise((resolve) => setImmediate(resolve))
      }
      assert.equal(counts.total, freshnessConnections)
    })
    await Promise.all(checks)
    assert.equal(counts.maxRunning, freshnessConnections)
  })

  test('see everything that was committed before them, even while other statements run', async () => {
    const { freshness } = counting()
    for (let n = 0; n < 30; n++) {
      const running = [freshness.check(web), freshness.check(web)]
      const [before] = await Promise.all(running)
      const meanwhile = Array.from({ length: 5 }, () => freshness.check(web))
      await rename(web)
      const after = await freshness.check(web)
      assert.notEqual(after.version, before!.version)
      await Promise.all(meanwhile)
    }
  })

  test('of clients that disconnect before the statement is sent are left out, and cause no statement', async () => {
    const { counts, freshness } = counting()
    const disconnected = [
      freshness.check(web, { isDisconnected: () => true }),
      freshness.check(app, { isDisconnected: () => true }),
    ]
    for (const check of disconnected) await assert.rejects(check, ClientDisconnected)
    assert.equal(counts.total, 0)
    const [left, stays] = [
      freshness.check(web, { isDisconnected: () => true }),
      freshness.check(app, { isDisconnected: () => false }),
    ]
    await assert.rejects(left, ClientDisconnected)
    await stays
    assert.equal(counts.total, 1)
  })

  test('of one owner take at most half of the places, and every other owner still gets one', async () => {
    const { counts, freshness } = counting()
    let refused = 0
    const greedy = Array.from({ length: 10_000 }, () =>
      freshness.check(web, { owner: ownerOfKey('greedy') }).catch(() => refused++),
    )
    const others = Array.from({ length: 100 }, (_, n) => freshness.check(app, { owner: ownerOfKey(`${n}`) }))
    await Promise.all([...greedy, ...others])
    assert.deepEqual([refused, counts.total], [5_000, 1])
  })

  test('fail together with their statement, and the next ones succeed', async () => {
    const impatient = openDatabase({ target: { url: database.url }, poolSize: 1, statementTimeoutMs: 4_000 })
    const freshness = createFreshness(impatient.freshnessChecks, () => sourceAt(impatient))
    const checks = () => Promise.allSettled(Array.from({ length: 10 }, () => freshness.check(web)))
    const ends = async () => new Set((await checks()).map((end) => end.status === 'rejected' && end.reason.constructor))
    await database.sql.begin(async (sql) => {
      await sql`lock table workgate.freshness_versions in access exclusive mode`
      assert.deepEqual([...(await ends())], [DatabaseUnavailable])
    })
    assert.deepEqual([...(await ends())], [false])
    assert.equal(freshness.counts.statements, 2)
    await impatient.close()
  })
})
