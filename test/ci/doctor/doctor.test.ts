// The doctor's findings and advice for every problem, each caused for real on a server of its own.

import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { doctorChecks } from '../../../src/commands/doctor/finding.ts'
import { readCodeBlocks } from '../../support/code-blocks.ts'
import { app, id, insertData, web } from '../../support/data.ts'
import { examine } from '../../support/doctor.ts'
import { run } from '../../support/environment.ts'
import { startServer } from '../../support/server.ts'
import { command, connect, issueKey } from '../../support/workgate.ts'
import { causes } from './doctor-causes.ts'
import rightsSql from '../../../sql/doctor/rights.sql'

const server = await startServer(run().postgresBin, { fsync: 'on' })
after(async () => {
  await sql.end({ timeout: 1 })
  await server.remove()
})

const urlAs = (role: string, database = 'service') =>
  Object.assign(new URL(server.url(database)), { username: role, password: 'secret' }).href
const url = urlAs('keeper')

const admin = connect(server.url('postgres'), { max: 1 })
await admin`create role keeper login password 'secret'`
await admin`create role stranger login password 'secret'`
await admin`create database service owner keeper`
await admin`create database latin template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`
await admin`create database plain template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`
await admin.end()
assert.equal((await command(['migrate'], { DATABASE_URL: url })).err, '')

/** A superuser's connection to the service's database. The database's owner is not a superuser. */
let sql = connect(server.url('service'), { max: 1 })
await insertData(sql)
await issueKey(sql, 'first')

/** Causes a problem, runs `look`, and reverts the problem. */
async function during(cause: string[], revert: string[], look: () => Promise<void>) {
  for (const statement of cause) await sql.unsafe(statement)
  try {
    await look()
  } finally {
    for (const statement of revert) await sql.unsafe(statement)
  }
}

/** The checks that run without TLS, METRICS_LISTEN, DATABASE_REPLICAS and Citus if the database can be reached. */
const checks = doctorChecks
  .map(({ name }) => name)
  .filter((name) => !['certificate', 'load', 'replicas', 'database', 'cluster'].includes(name))

test('a healthy database passes every check, with one line for each', async () => {
  const { faults, warnings, findings, error } = await examine({ DATABASE_URL: url })
  assert.deepEqual([faults, warnings, error], [0, 0, undefined], JSON.stringify(findings))
  assert.deepEqual(findings.map(({ check }) => check), checks) // prettier-ignore
  assert.ok(findings.every(({ state, advice }) => state === 'ok' && advice === null))
  const { code, out, err } = await command(['doctor'], { DATABASE_URL: url })
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^ok {7}version {6}PostgreSQL 1\d.*, database service$/m)
  assert.match(out, /^ok {7}tallies {6}The tallies of all 3 projects match the rows\n0 faults, 0 warnings$/m)
})

describe('the doctor reports', { concurrency: false }, () => {
  for (const [claim, check, state, finding, cause, revert] of causes) {
    test(claim, () =>
      during(cause, revert, async () => {
        const report = await examine({ DATABASE_URL: url })
        const found = report.of(check)
        assert.deepEqual([found.state, report.error], [state, state === 'fault' ? 'the doctor found 1 fault' : undefined], JSON.stringify(report.findings)) // prettier-ignore
        assert.match(found.finding, finding)
        assert.ok(state === 'ok' || found.advice.length > 10)
      }),
    )
  }

  test('completed tasks outside the done stages of their boards, as a hint, until the SQL of the guides moves them', async () => {
    const look = async () => (await examine({ DATABASE_URL: url })).of('stages')
    const sqlIn = async (guide: string) =>
      readCodeBlocks(await readFile(`src/docs/guides/${guide}.md`, 'utf8')).find(({ language }) => language === 'sql')!
        .code
    const update = (change: string, number: number) =>
      sql.unsafe(`update workgate.tasks set ${change} where project_id = '${web}' and number = ${number}`)
    for (const number of [1, 3]) await update(`state = 'completed'`, number)
    // Its board has no done stage.
    await sql`
      insert into workgate.tasks (project_id, stage_id, title, state, completed_at)
      values (${app}, ${id('stage', 5)}, 'x', 'completed', now())`
    const found = await look()
    assert.deepEqual([found.state, found.finding], ['ok', '2 completed tasks outside the done stages of their boards: WEB (2).']) // prettier-ignore
    assert.match(
      (await command(['doctor'], { DATABASE_URL: url })).out,
      /^ok {7}stages .*\n {22}Boards show them [^]*\n0 faults, 0 warnings$/m,
    )

    await sql`select workgate.compact_tallies(id) from workgate.projects`
    assert.deepEqual(await look(), found)

    await sql.unsafe(await sqlIn('doctor'))
    assert.deepEqual((await look()).advice, null)
    const completion = (await sqlIn('loading-data'))
      .replace(/'019a[-\w]+'/, `'${web}'`)
      .replace('number = 45', 'number = 2')
    await sql.unsafe(completion)
    const stages = await sql`
      select t.number::integer, t.state, s.category
      from workgate.tasks t join workgate.stages s on s.project_id = t.project_id and s.id = t.stage_id
      where t.project_id = ${web}
      order by t.number`
    assert.deepEqual(
      [...stages],
      [1, 2, 3].map((number) => ({ number, state: 'completed', category: 'done' })),
    )
    for (const number of [1, 2, 3]) await update(`state = 'open'`, number)
    await sql`delete from workgate.tasks where title = 'x'`
  })

  test('keys from the environment', async () => {
    const API_KEYS = JSON.stringify([{ name: 'ci', key: 'a-key-of-a-file-with-32-characters' }])
    await during(causes.find(([claim]) => claim === 'no key at all')![4], ['update workgate.api_keys set revoked_at = null'], async () => {
      const line = async (API_KEYS: string) => (await examine({ DATABASE_URL: url, API_KEYS })).line('keys')
      assert.equal(await line(API_KEYS), 'ok: 0 valid keys; 1 from the environment')
      const weak = JSON.stringify([{ name: 'ci', key: 'changeme-changeme-changeme-changeme' }])
      assert.equal(await line(weak), 'warning: 0 valid keys; 1 from the environment; easy to guess: ci.')
    }) // prettier-ignore
  })

  test('an encoding and a locale without Unicode, and pending migrations, which it does not run', async () => {
    const latin = await examine({ DATABASE_URL: urlAs('keeper', 'latin') })
    assert.equal(latin.line('text'), 'fault: The encoding is LATIN1: characters outside it cannot be stored.')
    assert.equal(latin.faults, 2)
    assert.match(latin.of('migrations').finding, /^Pending: 0001-directory, .*\.$/)
    assert.match(latin.of('migrations').advice, /workgate migrate/)
    assert.equal(latin.of('tallies'), undefined)
    const plain = await examine({ DATABASE_URL: urlAs('keeper', 'plain') })
    assert.equal(plain.of('text').state, 'warning')
    const other = connect(server.url('plain'), { max: 1 })
    assert.deepEqual([...(await other`select nspname from pg_namespace where nspname = 'workgate'`)], [])
    await other.end()
  }) // prettier-ignore

  test('a role without the privileges that the service needs, even one without access to the schema', async () => {
    const DATABASE_URL = urlAs('stranger')
    const nothing = (await examine({ DATABASE_URL })).line('role')
    assert.match(nothing, /^fault: stranger lacks privileges .* needs: select on users, .* and \d+ more\.$/)

    await sql`grant usage on schema workgate to stranger`
    await sql`grant select, insert, update, delete on all tables in schema workgate to stranger`
    await sql`grant execute on all functions in schema workgate to stranger`
    const { line, faults } = await examine({ DATABASE_URL })
    assert.equal(line('role'), 'ok: stranger has the privileges that the service needs, but may not migrate')
    assert.equal(faults, 0)
    await sql`revoke execute on function workgate.recount(uuid, boolean) from public, stranger`
    const tallies = (await examine({ DATABASE_URL })).of('tallies')
    assert.deepEqual(
      [tallies.state, tallies.advice],
      ['warning', 'Run the doctor again as the owner of schema workgate.'],
    )
    await sql`grant execute on function workgate.recount(uuid, boolean) to public`
  })

  test('foreign keys that only a superuser can enable, and how', async () => {
    const disabled = 'fault: Still disabled, because only a superuser can enable them: foreign key comments_task on workgate.tasks, ' // prettier-ignore
    await sql`alter table workgate.tasks disable trigger all`
    const { of, line } = await examine({ DATABASE_URL: url }, '--repair')
    assert.ok(line('triggers').startsWith(disabled), line('triggers'))
    const [statement] = /select .*(?=")/.exec(of('triggers').advice.split('. ')[0]!)!
    const left = await sql`
      select from pg_trigger where tgrelid = 'workgate.tasks'::regclass and tgenabled = 'D' and not tgisinternal`
    assert.equal(left.length, 0, 'the owner has enabled all others')
    await sql.unsafe(statement)
    assert.equal((await examine({ DATABASE_URL: url })).of('triggers').state, 'ok')
  })

  test('each privilege of "workgate grants" once it is revoked, and none while all are granted', async () => {
    const { out } = await command(['grants'], {})
    await sql.unsafe(out)
    const rights = async () => {
      await sql`set role workgate_api`
      const [row] = await sql.unsafe(rightsSql)
      await sql`reset role`
      return row!['missing'] as string[]
    }
    assert.deepEqual(await rights(), [])
    const given = await sql`
      with grantee as (select oid from pg_roles where rolname = 'workgate_api')
      select 'table' as kind, privilege_type as right, relname as name
      from grantee, pg_class c, aclexplode(relacl) a
      where relnamespace = 'workgate'::regnamespace and a.grantee = grantee.oid
      union all
      select 'column', privilege_type || ' (' || attname || ')', relname
      from grantee, pg_class c join pg_attribute on attrelid = c.oid, aclexplode(attacl) a
      where relnamespace = 'workgate'::regnamespace and a.grantee = grantee.oid
      union all
      select 'function', privilege_type, p.oid::regprocedure::text
      from grantee, pg_proc p, aclexplode(proacl) a
      where pronamespace = 'workgate'::regnamespace and a.grantee = grantee.oid`
    assert.ok(given.length > 60)
    for (const { kind, right, name } of given) {
      const on = kind === 'function' ? `function ${name}` : `workgate.${name}`
      await sql.unsafe(`revoke ${right} on ${on} from workgate_api`)
      assert.equal((await rights()).length, 1, `${right} on ${name}`)
      await sql.unsafe(`grant ${right} on ${on} to workgate_api`)
    }
  })

  test('a standby, and settings that only a restart of the server changes', async () => {
    const [row] = await sql`show data_directory`
    const signal = join(row!['data_directory'] as string, 'standby.signal')
    await restart(async () => writeFile(signal, ''), {})
    const standby = await examine({ DATABASE_URL: url })
    assert.equal(standby.line('writes'), 'fault: This server is a standby, which accepts no writes.')
    await restart(() => rm(signal), { fsync: 'off', autovacuum: 'off', max_connections: '15' })
    const { line } = await examine({ DATABASE_URL: url })
    assert.equal(line('durability'), 'fault: fsync is off: a crash of the machine can corrupt the database.')
    assert.equal(line('upkeep'), 'warning: autovacuum is off: tables grow, and query plans degrade.')
    assert.match(line('connections'), /^fault: .*opens up to 13 connections; the limit is 12, and others use 1 /)

    async function restart(meanwhile: () => Promise<void>, settings: Record<string, string>) {
      await sql.end({ timeout: 1 })
      await server.stop()
      await meanwhile()
      await server.start(settings)
      sql = connect(server.url('service'), { max: 1 })
      await sql`select 1`
    }
  })
})
