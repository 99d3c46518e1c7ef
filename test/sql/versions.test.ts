// Every transaction that changes data in a scope raises its version by one, and nothing else does. Writers never wait.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { directory, everyProject, keyScopeOf } from '../../src/api/freshness/freshness.ts'
import { app, insertData, web } from '../support/data.ts'
import { key, moved, movedKey, notShown, project, shownChanges, shownTables } from '../support/shown-tables.ts'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { countChanges, raisedBy, versionsOf } from '../support/versions.ts'
import { connect, type Sql } from '../support/workgate.ts'

const { sql, url } = await suiteDatabase(async (sql) => {
  await countChanges(sql)
  await insertData(sql)
  await sql.unsafe(`
    create function workgate.rename_with_settings(project uuid) returns void language sql set work_mem = '1MB'
    as 'update workgate.boards set name = name where project_id = project'`)
})
const clients = Array.from({ length: 3 }, () => connect(url, { max: 1, connection: { lock_timeout: 2_000 } }))
atEnd(() => Promise.all(clients.map((client) => client.end({ timeout: 1 }))))

const compact = (by = sql) => by`select workgate.compact_marks()`
const versionOf = async (scope: string, by = sql) => (await versionsOf(by, [scope])).get(scope)!
const write = (scope: string) => `update workgate.boards set name = name where project_id = '${scope}'`

test('every table either has all triggers or is listed as not shown by the API', async () => {
  const rows = await sql`
    select c.relname as table, coalesce(array_agg(distinct concat_ws(' ',
        case t.tgenabled when 'O' then '' when 'R' then 'replicated' when 'A' then 'always' else 'never' end,
        case when t.tgtype & 1 > 0 then 'row' else 'statement' end, e.event)
      ) filter (where p.proname ~ '^record_'), '{}') as triggers
    from pg_class c
    left join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal
    left join pg_proc p on p.oid = t.tgfoid
    left join (values (4, 'insert'), (8, 'delete'), (16, 'update'), (32, 'truncate')) as e (bit, event) on t.tgtype & e.bit > 0
    where c.relnamespace = 'workgate'::regnamespace and c.relkind in ('r', 'p')
    group by 1`
  const events = ['insert', 'update', 'delete']
  const all = [
    ...events.flatMap((event) => [` statement ${event}`, `replicated row ${event}`]),
    'always statement truncate',
  ].sort()
  assert.deepEqual(Object.fromEntries(rows.map(({ table, triggers }) => [table, triggers.sort()])), {
    ...Object.fromEntries([...shownTables.map(({ table }) => [table, all]), ...notShown.map((table) => [table, []])]),
    // In the cursors of pages.
    cursor_secrets: all,
  })
})

describe('each change raises the right versions', { concurrency: false }, () => {
  for (const { claim, change, scopes } of shownChanges)
    test(claim, async () => assert.deepEqual(await raisedBy(sql, () => sql.unsafe(change)), scopes))

  for (const { table } of shownTables)
    test(`truncating ${table}`, async () => {
      await sql
        .begin(async (sql) => {
          const raised = await raisedBy(sql as unknown as Sql, () => sql.unsafe(`truncate workgate.${table} cascade`))
          assert.deepEqual(raised, [directory])
          throw new Error('rolled back')
        })
        .catch((error: Error) => assert.equal(error.message, 'rolled back'))
    })

  // prettier-ignore
  const others: [claim: string, statements: string, scopes: string[]][] = [
    ['a statement that changes no rows',        `delete from workgate.boards where false`, []],
    ['a statement that changes no rows of the directory', `update workgate.users set name = name where false`, []],
    ['rows of two projects in one statement',   `update workgate.boards set name = name`, [web, app]],
    ['rows of two projects in two statements',  `begin; ${write(web)}; ${write(app)}; ${write(web)}; commit`, [web, app]],
    ['a rollback',                              `begin; ${write(web)}; rollback`, []],
    ['a rollback to a savepoint',               `begin; savepoint s; ${write(web)}; rollback to s; ${write(app)}; commit`, [app]],
    ['the same scope again after a rollback to a savepoint', `begin; savepoint s; ${write(web)}; rollback to s; ${write(web)}; commit`, [web]],
    ['the same scope again before a rollback to a savepoint', `begin; ${write(web)}; savepoint s; ${write(web)}; rollback to s; commit`, [web]],
    ['the same scope again after an exception', `do $$ begin begin ${write(web)}; raise 'x'; exception when raise_exception then null; end; ${write(web)}; end $$`, [web]],
    ['a function with settings, and a statement after it', `begin; select workgate.rename_with_settings('${web}'); ${write(web)}; commit`, [web]],
    ['a statement after a function that was rolled back', `begin; savepoint s; select workgate.rename_with_settings('${web}'); rollback to s; ${write(web)}; commit`, [web]],
    ['two transactions in one statement',       `do $$ begin ${write(web)}; commit; ${write(app)}; end $$`, [web, app]],
    ['inserting a project',                     `insert into workgate.projects (id, key, name) values ('${project}', 'NEW', 'x')`, [project]],
    ['changing the id of a project',            `update workgate.projects set id = '${moved}' where id = '${project}'`, [project, moved]],
    ['inserting a key',                         `insert into workgate.api_keys (id, name, key_hash, scope_mode, operations) values ('${key}', 'x', sha256('x'), 'all_projects', '{}')`, [keyScopeOf(key)]],
    ['changing the id of a key',                `update workgate.api_keys set id = '${movedKey}' where id = '${key}'`, [key, movedKey].map(keyScopeOf)],
  ]
  for (const [claim, statements, scopes] of others)
    test(claim, async () => {
      assert.deepEqual(await raisedBy(sql, () => clients[0]!.unsafe(statements).simple()), scopes)
    })

  test('deleting a project with its contents counts as one change', async () => {
    const before = await versionsOf(sql)
    await sql`delete from workgate.projects where id = ${app}`
    const after = await versionsOf(sql)
    assert.deepEqual([after.get(app), after.get(everyProject)], [before.get(app)! + 1n, before.get(everyProject)! + 1n])
  })

  test('a transaction with more scopes than it remembers counts each at most twice', async () => {
    await sql`insert into workgate.projects (key, name) select 'M' || n, 'x' from generate_series(1, 1200) n`
    const before = await versionOf(everyProject)
    const rename = `update workgate.projects set name = name where key like 'M%'`
    await clients[0]!.unsafe(`begin; ${rename}; ${rename}; commit`).simple()
    const counted = (await versionOf(everyProject)) - before
    assert.ok(counted >= 1200n && counted <= 2400n, `${counted}`)
    await sql`delete from workgate.projects where key like 'M%'`
  })

  test('touch sets a new version each time', async () => {
    const versions = [await versionOf(directory)]
    for (let n = 0; n < 20; n++) {
      await sql`select workgate.touch()`
      if (n % 5 === 0) await compact()
      versions.push(await versionOf(directory))
    }
    assert.equal(new Set(versions).size, 21)
  })
})

describe('writers', { concurrency: false }, () => {
  before(() => sql`insert into workgate.projects (id, key, name) values (${app}, 'APP', 'x')`)
  // Each inserts its own rows and reads none, so there is no other reason to fail at level serializable.
  const tag = (client: Sql, project: string) =>
    client`insert into workgate.tags (project_id, name) values (${project}, ${crypto.randomUUID()})`

  for (const level of ['read committed', 'repeatable read', 'serializable'])
    test(`that change the same projects in opposite order neither wait nor fail (${level})`, async () => {
      const [one, two, three] = clients as [Sql, Sql, Sql]
      const before = await versionsOf(sql)
      for (const client of [one, two]) {
        await client.unsafe(`begin isolation level ${level}`)
        await client`select 1`
      }
      await tag(one, web)
      await tag(two, app)
      await tag(one, app)
      await tag(sql, web)
      await compact(three)
      await tag(two, web)
      assert.equal(await versionOf(web), before.get(web)! + 1n, 'open transactions are not counted')
      await one`commit`
      await compact(three)
      assert.equal(await versionOf(web), before.get(web)! + 2n)
      await two`commit`
      assert.deepEqual([await versionOf(web), await versionOf(app)], [before.get(web)! + 3n, before.get(app)! + 2n])
    })
})
