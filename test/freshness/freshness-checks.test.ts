// Freshness checks share statements, and each returns a version that was read after the check was requested.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase, freshnessConnections, type Database } from '../../src/db/database.ts'
import type { Runner } from '../../src/db/pool/pool.ts'
import { DatabaseUnavailable } from '../../src/db/errors.ts'
import { ownerOfKey } from '../../src/db/pool/owner.ts'
import { createFreshness, directory, everyProject } from '../../src/api/freshness/freshness.ts'
import { ClientDisconnected } from '../../src/api/problems/problem.ts'
import { app, id, insertData, web } from '../support/data.ts'
import { freshDatabase } from '../support/workgate.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Database

before(async () => {
  database = await freshDatabase()
  await insertData(database.sql)
  db = openDatabase({ target: { url: database.url }, poolSize: 1, statementTimeoutMs: 10_000 })
})
after(async () => {
  await db.close()
  await database.drop()
})

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
  return { counts, freshness: createFreshness(runner) }
}

const rename = (project: string) => database.sql`update workgate.projects set name = name || '!' where id = ${project}`

describe('a version', () => {
  // prettier-ignore
  const changes: [event: string, change: () => Promise<unknown>, changed: string[]][] = [
    ['a project is renamed',       () => rename(web),                                                                    ['web', 'every']],
    ['another project is renamed', () => rename(app),                                                                    ['app', 'every']],
    ['two projects are renamed',   () => database.sql`update workgate.projects set name = name || '!'
                                         where id in (${web}, ${app})`,                                                  ['web', 'app', 'every']],
    ['a user is renamed',          () => database.sql`update workgate.users set name = 'Z' where id = ${id('user', 1)}`, ['web', 'app', 'every', 'directory']],
    ['an update matches no row',   () => database.sql`update workgate.tasks set title = 'x' where false`,                []],
    ['a delete is rolled back',    () => database.sql.begin(async (sql) => {
                                           await sql`delete from workgate.tasks where project_id = ${web}`
                                           throw new Error('rolled back')
                                         }).catch(() => {}),                                                             []],
    ['changes are compacted',      () => database.sql`select workgate.compact_changes()`,                                []],
    ['workgate.touch() is called', () => database.sql`select workgate.touch()`,                                          ['web', 'app', 'every', 'directory']],
  ]
  const scopes = { web, app, every: everyProject, directory }

  for (const [event, change, changed] of changes) {
    test(`changes for ${changed.join(', ') || 'no scope'} when ${event}`, async () => {
      const { freshness } = counting()
      const versions = () =>
        Promise.all(Object.values(scopes).map(async (scope) => (await freshness.check(scope)).version))
      const first = await versions()
      assert.deepEqual(await versions(), first)
      await change()
      const second = await versions()
      const others = Object.keys(scopes).filter((_, n) => first[n] !== second[n])
      assert.deepEqual(others, changed)
    })
  }

  test('is never repeated, even if changes are compacted in between', async () => {
    const { freshness } = counting()
    const seen = new Set<string>()
    for (let n = 0; n < 20; n++) {
      await rename(web)
      if (n % 3 === 0) await database.sql`select workgate.compact_changes()`
      seen.add((await freshness.check(web)).version!)
    }
    assert.equal(seen.size, 20)
  })
})

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
      await sql`lock table workgate.versions in access exclusive mode`
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
    const freshness = createFreshness(impatient.freshnessChecks)
    const checks = () => Promise.allSettled(Array.from({ length: 10 }, () => freshness.check(web)))
    const ends = async () => new Set((await checks()).map((end) => end.status === 'rejected' && end.reason.constructor))
    await database.sql.begin(async (sql) => {
      await sql`lock table workgate.versions in access exclusive mode`
      assert.deepEqual([...(await ends())], [DatabaseUnavailable])
    })
    assert.deepEqual([...(await ends())], [false])
    assert.equal(freshness.counts.statements, 2)
    await impatient.close()
  })
})
