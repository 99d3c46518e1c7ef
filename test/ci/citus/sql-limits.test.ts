// SQL on a distributed database, within the limits that the guide lists.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { until } from '../../faults/fixtures/embedded.ts'
import { insertData, web } from '../../support/data.ts'
import { serverUrls } from '../../support/places.ts'
import { atEnd, suiteDatabase } from '../../support/suite-database.ts'
import { command, connect, withSql } from '../../support/workgate.ts'

const { url, sql } = await suiteDatabase(insertData)
const folder = await mkdtemp(join(tmpdir(), 'workgate-sql-'))
atEnd(() => rm(folder, { recursive: true }))

describe('Citus refuses, as the guide says,', () => {
  for (const [statement, message] of [
    ['update workgate.tasks set estimate_seconds = (random() * 9)::int', /random|volatile|VOLATILE/],
    [`update workgate.time_entries set ended_at = started_at + interval '1 hour'`, /STABLE functions used in UPDATE/],
    [
      `merge into workgate.tags t using (select '${web}'::uuid as id) p on t.project_id = p.id
        when not matched then insert (project_id, name) values (p.id, 'new')`,
      /MERGE/i,
    ],
    ['alter table workgate.tasks disable trigger all', /triggers are not supported on distributed tables/],
  ] satisfies [string, RegExp][])
    test(statement.split(/\s+/).slice(0, 6).join(' '), () => assert.rejects(sql.unsafe(statement), { message }))
})

describe('a session as a replica, whose changes no trigger would notice, cannot', () => {
  for (const statement of [
    `insert into workgate.tasks (project_id, title) values ('${web}', 'Replicated')`,
    `update workgate.tasks set title = 'Replicated'`,
    `delete from workgate.comments where project_id = '${web}'`,
    'truncate workgate.time_entries',
    `update workgate.projects set name = 'Replicated'`,
    'truncate workgate.team_members',
  ])
    test(statement, async () => {
      const attempt = sql.begin(async (transaction) => {
        await transaction`set local session_replication_role = replica`
        await transaction.unsafe(statement)
      })
      await assert.rejects(attempt, { code: 'WG013', message: /^a session with session_replication_role = replica/ })
    })
})

describe('the writer that SQL names', () => {
  const write = `update workgate.tasks set title = title || '!' where project_id = '${web}' and number = 1`
  const named = ['begin', `set local workgate.actor = 'loader'`, write, 'commit']
  const script = join(folder, 'write.sql')
  const send = (statements: string[]) =>
    withSql(url, async (one) => {
      for (const statement of statements) await one.unsafe(statement)
    })
  for (const [claim, isKnown, writeOnce] of [
    ['with "set local" as a statement of its own is in the history', true, () => send(named)],
    [
      'in a file for workgate sql is in the history',
      true,
      async () => {
        await writeFile(script, named.join(';\n'))
        assert.equal((await command(['sql', script], { DATABASE_URL: url })).code, 0)
      },
    ],
    [
      'with write_as() is in the history',
      true,
      () => send(['begin', `select workgate.write_as('loader')`, write, 'commit']),
    ],
    [
      'with set_config() is not, as the guide says',
      false,
      () => send(['begin', `select set_config('workgate.actor', 'loader', true)`, write, 'commit']),
    ],
  ] satisfies [string, boolean, () => Promise<unknown>][])
    test(claim, async () => {
      await writeOnce()
      const [last] = await sql`
        select actor ->> 'name' as name from workgate.task_history
        where project_id = ${web} and task_id = (select id from workgate.tasks where project_id = ${web} and number = 1)
        order by version desc limit 1`
      assert.equal(last!['name'], isKnown ? 'loader' : null)
    })

  test('cannot be in one text with the write, as the guide says', () =>
    assert.rejects(send([named.join(';')]), { message: /^cannot execute a distributed query/ }))
})

test('backups of the nodes have a moment in common', async () => {
  const [row] = await sql`select citus_create_restore_point('before the upgrade') as position`
  assert.match(row!['position'], /^[0-9A-F]+\/[0-9A-F]+$/)
})

test('of two nodes that create a project with the same key, neither waits for the other one', async () => {
  const nodes = serverUrls(url)
    .slice(1)
    .map((server) => connect(server, { max: 1 }))
  const views = await Promise.all(
    nodes.map(async (node) => {
      const [row] = await node`select names ->> 'projects_here' as view from workgate_places.places where place <> 0`
      return row!['view'] as string
    }),
  )
  const create = (key: string) =>
    nodes.map((node, n) =>
      node.unsafe(`insert into ${views[n]} (key, name) values ('${key}', 'Same')`).then(
        () => 'created',
        ({ code }: { code: string }) => code,
      ),
    )
  for (let n = 1; n <= 20; n++) assert.deepEqual((await Promise.all(create(`SAME${n}`))).sort(), ['23505', 'created'])
  for (const node of nodes) await node.end({ timeout: 1 })
})

test('a node is in doubt while a transaction over several nodes is prepared there, and about a snapshot that is old', () =>
  withSql(serverUrls(url)[1]!, async (node) => {
    const isInDoubt = async (shown = 'pg_current_snapshot()') =>
      (await node.unsafe<{ is: boolean }[]>(`select workgate_places.is_in_doubt(${shown}) as is`))[0]!.is
    // Citus has transactions of its own.
    await until('it is not in doubt', async () => !(await isInDoubt()))
    const [{ old }] = (await node`select pg_current_snapshot()::text as old`) as unknown as [{ old: string }]
    await node.unsafe(`begin; select pg_current_xact_id(); prepare transaction 'citus_test'`)
    assert.ok(await isInDoubt())
    await node`commit prepared 'citus_test'`
    await until('it is not in doubt', async () => !(await isInDoubt()))
    assert.ok(await isInDoubt(`'${old}'`))
  }))
