// Compaction changes no version, whatever is written, read or compacted concurrently, and whichever cluster the rows
// came from.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { everyProject } from '../../src/api/freshness/freshness.ts'
import { app, insertData, old, web } from '../support/data.ts'
import { chooser } from '../support/random.ts'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { countChanges, versionsOf } from '../support/versions.ts'
import { connect, type Sql } from '../support/workgate.ts'

const { sql, url } = await suiteDatabase(async (sql) => {
  await countChanges(sql)
  await insertData(sql)
})
const clients = Array.from({ length: 4 }, () => connect(url, { max: 1 }))
atEnd(() => Promise.all(clients.map((client) => client.end({ timeout: 1 }))))

const compact = (by = sql) => by`select workgate.compact_marks()`
const versionOf = async (scope: string, by = sql) => (await versionsOf(by, [scope])).get(scope)!
const write = (scope: string, by = sql) =>
  by`insert into workgate.tags (project_id, name) values (${scope}, ${crypto.randomUUID()})`
const uncompacted = async () => Number((await sql`select count(*) as n from workgate.freshness_marks`)[0]!['n'])

describe('compaction', { concurrency: false }, () => {
  test('moves all changes and changes no version', async () => {
    const before = await versionsOf(sql)
    assert.ok((await uncompacted()) > 0)
    await compact()
    assert.equal(await uncompacted(), 0)
    assert.deepEqual(await versionsOf(sql), before)
    await write(web)
    await compact()
    assert.equal(await versionOf(web), before.get(web)! + 1n)
    assert.equal(await versionOf(everyProject), before.get(everyProject)! + 1n)
  })

  test('leaves only the changes of a transaction that is still running', async () => {
    const [long] = clients as [Sql]
    const before = await versionsOf(sql)
    await long`begin`
    await write(web, long)
    for (let n = 0; n < 3; n++) {
      await write(app)
      await write(web)
      await compact()
      assert.equal(await uncompacted(), 0, 'changes of others are compacted')
    }
    await long`commit`
    assert.equal(await versionOf(web), before.get(web)! + 4n)
    assert.equal(await versionOf(everyProject), before.get(everyProject)! + 7n)
    await compact()
    assert.equal(await uncompacted(), 0)
    assert.equal(await versionOf(web), before.get(web)! + 4n)
  })

  test('does nothing in a transaction that has changed something', async () => {
    const [client] = clients as [Sql]
    const before = await versionsOf(sql)
    await client`begin`
    await write(web, client)
    // A later transaction ends earlier.
    await write(old)
    await compact(client)
    await write(app, client)
    assert.equal(await versionOf(app, client), before.get(app)! + 1n)
    await client`commit`
    for (const scope of [web, app]) assert.equal(await versionOf(scope), before.get(scope)! + 1n)
  })

  test('a transaction that compacts and then writes is counted', async () => {
    const [client] = clients as [Sql]
    const before = await versionsOf(sql)
    await write(web)
    await client`begin`
    await compact(client)
    await write(web, client)
    await client`commit`
    assert.equal(await versionOf(web), before.get(web)! + 2n)
  })

  test('only one of two concurrent compactions does the work', async () => {
    const [one, two] = clients as [Sql, Sql]
    const before = await versionsOf(sql)
    await write(web)
    await one`begin`
    await compact(one)
    await write(web)
    await compact(two)
    assert.ok((await uncompacted()) >= 2, 'the second compacts nothing and does not wait')
    await one`commit`
    await Promise.all(clients.map((client) => compact(client)))
    await compact()
    assert.equal(await uncompacted(), 0)
    assert.equal(await versionOf(web), before.get(web)! + 2n)
  })

  test('an old snapshot always sees the same version', async () => {
    const [dump] = clients as [Sql]
    await write(web)
    await dump`begin isolation level repeatable read`
    const before = await versionsOf(dump)
    for (let n = 0; n < 3; n++) {
      await write(web)
      await compact()
      assert.deepEqual(await versionsOf(dump), before)
    }
    await dump`commit`
    assert.equal(await versionOf(web), before.get(web)! + 3n)
  })
})

test('after a rollback, later changes do not reuse the versions that the transaction saw', async () => {
  const { url } = await suiteDatabase(insertData)
  const client = connect(url, { max: 1 })
  await client`begin`
  await write(web, client)
  const seen = await versionsOf(client)
  await client`rollback`
  await write(web, client)
  const after = await versionsOf(client)
  for (const scope of [web, everyProject]) assert.notEqual(after.get(scope), seen.get(scope))
  await client.end()
})

test('a large number of changes is compacted in batches, and no version changes', async () => {
  const [long] = clients as [Sql]
  await compact()
  await long`begin`
  await write(app, long)
  // Simulates the changes of many ended transactions.
  await sql`
    insert into workgate.freshness_marks (scope, xid)
    select case n % 3 when 0 then ${web} else ${old} end::uuid, pg_current_xact_id()
    from generate_series(1, 210000) n`
  const before = await versionsOf(sql)
  const left = []
  for (let n = 0; n < 3; n++) {
    await write(web)
    before.set(web, before.get(web)! + 1n).set(everyProject, before.get(everyProject)! + 1n)
    await compact()
    assert.deepEqual(await versionsOf(sql), before)
    left.push(await uncompacted())
  }
  assert.deepEqual(left, [110_001, 10_002, 0])
  await long`commit`
  assert.equal(await versionOf(app), before.get(app)! + 1n)
  assert.equal(await versionOf(everyProject), before.get(everyProject)! + 1n)
})

test('rows of a cluster with higher transaction ids are counted and compacted', async () => {
  await write(web)
  await write(app)
  await compact()
  await write(web)
  await sql`update workgate.freshness_versions set horizon = '4000000000', in_progress = '{3999999990}'`
  await sql`insert into workgate.freshness_marks values (${web}, '4000000001'), (${web}, '3999999990')`
  const before = await versionsOf(sql)
  await write(web)
  assert.equal(await versionOf(web), before.get(web)! + 1n)
  await compact()
  await compact()
  const [row] =
    await sql`select count(*)::int as n from workgate.freshness_versions where horizon > pg_snapshot_xmax(pg_current_snapshot())`
  assert.equal(row!['n'], 0)
  assert.equal(await uncompacted(), 2, 'the transactions of the other cluster are in the future')
  await write(app)
  assert.equal(await versionOf(web), before.get(web)! + 1n)
  assert.equal(await versionOf(app), before.get(app)! + 1n)
  assert.equal(await versionOf(everyProject), before.get(everyProject)! + 2n)
})

test('rows of a cluster with lower transaction ids are counted', async () => {
  await compact()
  const before = await versionsOf(sql)
  await sql`update workgate.freshness_versions set horizon = '5', in_progress = '{3}'`
  await sql`insert into workgate.freshness_marks values (${web}, '5'), (${web}, '3')`
  assert.equal(await versionOf(web), before.get(web)! + 2n)
  await compact()
  await write(web)
  assert.equal(await versionOf(web), before.get(web)! + 3n)
})

test('at any moment, a version is the number of committed transactions', async () => {
  const { pick, chance, some } = chooser(5)
  const scopes = [web, app, old]
  await sql`create table public.log (scope uuid)`
  const levels = ['read committed', 'repeatable read', 'serializable'] as const
  const start = await versionsOf(sql)
  let committed = 0
  async function writeAtRandom(by: Sql) {
    for (let turn = 0; turn < 60; turn++) {
      await by.unsafe(`begin isolation level ${pick(levels)}`)
      const kept = some(scopes, 4)
      for (const scope of kept) await write(scope, by)
      if (chance(0.4)) {
        await by`savepoint s`
        for (const scope of some(scopes, 4)) await write(scope, by)
        await by`rollback to s`
      }
      const another = pick(scopes)
      if (chance(0.3)) {
        await write(another, by)
        if (!kept.includes(another)) kept.push(another)
      }
      for (const scope of kept) await by`insert into public.log values (${scope})`
      if (chance(0.2)) await by`rollback`
      else {
        await by`commit`
        committed++
      }
    }
  }

  let writing = true
  let reads = 0
  async function keepReading() {
    while (writing) {
      const [row] = await sql`
        select
          (select json_agg(version::text order by seat) from workgate.versions_of(${[...scopes, everyProject]}::uuid[])) as versions,
          (select json_agg((select count(*) from public.log where scope = s.scope)::text order by seat)
            from unnest(${scopes}::uuid[]) with ordinality as s (scope, seat)) as logged,
          (select count(*) from public.log)::text as all`
      const counted = [...row!['logged'], row!['all']].map(BigInt)
      assert.deepEqual(
        (row!['versions'] as string[]).map((version, n) => BigInt(version) - start.get([...scopes, everyProject][n]!)!),
        counted,
      )
      reads++
    }
  }
  async function keepCompacting() {
    while (writing) await compact()
  }
  const writers = Promise.all(clients.map(writeAtRandom)).finally(() => (writing = false))
  await Promise.all([writers, keepReading(), keepReading(), keepCompacting()])
  assert.ok(reads > 50 && committed > 100, `${reads} reads of ${committed} transactions`)
})
