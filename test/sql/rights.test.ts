// The role workgate_api has the privileges that the running service needs, and no others.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { migrate } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { query } from '../../src/db/statements/query.ts'
import { insertData, web } from '../support/data.ts'
import { quiet } from '../support/log.ts'
import { atEnd, suiteDatabase, suitePool } from '../support/suite-database.ts'
import { valuesOf } from '../support/values.ts'
import { asLeast, connect, issueKey } from '../support/workgate.ts'
import anyKeySql from '../../sql/keys/any-key.sql'
import recordUsesSql from '../../sql/keys/record-uses.sql'
import compactNextTalliesSql from '../../sql/analytics/compact-next-tallies.sql'
import beginEpochSql from '../../sql/changes/begin-epoch.sql'
import compactMarksSql from '../../sql/freshness/compact-marks.sql'
import workgateApiSql from '../../sql/roles/workgate-api.sql'
import purgeIdempotencyRecordsSql from '../../sql/writes/purge-idempotency-records.sql'

const { sql: owner, url } = await suiteDatabase(insertData)
const grant = () => owner.unsafe(workgateApiSql)
const key = await issueKey(owner, 'reader')
await grant()
await owner`create schema theirs`
await owner`create table theirs.table ()`
const least = connect(asLeast(url), { max: 1 })
atEnd(() => least.end())

const whole = ['insert', 'select']
// prettier-ignore
/** Privileges by table, with the column if not on the whole table. The role has no privileges on other tables. */
const rights: Record<string, string[]> = {
  users: ['select'], teams: ['select'], team_members: ['select'],
  api_keys: selected('created_at', 'expires_at', 'first_id', 'id', 'key_hash', 'name', 'operations', 'project_ids', 'rate_limit_per_minute', 'revoked_at', 'scope_mode'),
  api_key_uses: ['select'],
  projects: ['select'], projects_here: whole, project_members: whole, project_teams: ['select'], boards: whole, stages: whole,
  tasks: [...whole, 'update stage_id', 'update state'], tags: [...whole, 'update name'], task_tags: whole, task_watchers: whole,
  task_history: ['select'], fields: ['select'], comments: ['select'], files: ['select'], time_entries: ['select'],
  documents: selected('author_id', 'created_at', 'headings', 'id', 'path', 'project_id', 'revision', 'sha256', 'size_bytes', 'task_id', 'title', 'updated_at', 'word_count'),
  sources: selected('address', 'project_id'),
  idempotency_records: ['delete', ...whole],
  tallies: ['select'], tally_deltas: ['select'], task_efforts: ['select'], effort_marks: ['select'],
  freshness_marks: ['select'], freshness_versions: ['select'], journal: ['select'], journal_horizon: ['select'], epochs: ['select'], cursor_secrets: ['select'], migrations: ['select'],
}

function selected(...columns: string[]) {
  return columns.map((column) => `select ${column}`)
}

const tables = await owner<{ name: string }[]>`
  select relname as name from pg_class where relnamespace = 'workgate'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S') order by 1`

describe('workgate_api has exactly the privileges that it needs', () => {
  for (const { name } of tables) {
    test(`${name}: ${rights[name]?.join(', ') ?? 'none'}`, async () => {
      const found = await owner`
        with kinds as (
          select kind
          from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as kind
        ),
        on_table as (
          select kind
          from kinds
          where has_table_privilege('workgate_api', ${'workgate.' + name}, kind)
        )
        select kind as right from on_table
        union all
        select kind || ' ' || attname
        from pg_attribute
        cross join kinds
        where attrelid = ${'workgate.' + name}::regclass
          and attnum > 0
          and not attisdropped
          and kind in ('select', 'insert', 'update', 'references')
          and has_column_privilege('workgate_api', attrelid, attnum, kind)
          and kind not in (select kind from on_table)
        order by 1`
      assert.deepEqual(valuesOf(found, 'right'), rights[name] ?? [])
    })
  }
})

/** Besides what the privileges on tables, which the test above lists completely, do not allow. */
// prettier-ignore
const refused: [claim: string, statement: string][] = [
  ['create a table in the schema',   'create table workgate.mine ()'],
  ['create a table in public',       'create table public.mine ()'],
  ['create a temporary table',       'create temp table mine ()'],
  ['create a schema',                'create schema mine'],
  ['create a function',              'create function workgate.mine() returns int language sql return 1'],
  ['create a role',                  'create role mine'],
  ['create a trigger',               'create trigger mine after insert on workgate.tasks for each row execute function workgate.maintain()'],
  ['drop a table',                   'drop table workgate.tags'],
  ['alter a table',                  'alter table workgate.tasks add column mine int'],
  ['disable triggers',               'alter table workgate.tasks disable trigger user'],
  ['bypass triggers',                'set session_replication_role = replica'],
  ['become the owner',               'set role workgate'],
  ['invalidate all cached responses', 'select workgate.touch()'],
  ['recount tallies',                `select workgate.recount('${web}')`],
  ['issue a key',                    `select workgate.issue_key('mine', 'all_projects')`],
  ['rotate a key',                   `select workgate.rotate_key('reader')`],
  ['revoke a key',                   `select workgate.revoke_key('reader')`],
  ['read tables of other schemas',   'select from theirs.table'],
  ['read files of the server',       `select pg_read_file('postgresql.conf')`],
  ['write files of the server',      `copy workgate.tasks to '/tmp/mine'`],
  ['run programs on the server',     `copy workgate.tasks to program 'true'`],
]

describe('workgate_api cannot', { concurrency: false }, () => {
  before(async () => {
    await owner.unsafe(`revoke temporary on database ${new URL(url).pathname.slice(1)} from public`)
    await owner`revoke create on schema public from public`
  })

  for (const [claim, statement] of refused) {
    test(claim, async () => {
      const attempt = least.begin(async (sql) => {
        await sql.unsafe(statement)
        throw new Error('the statement was not refused')
      })
      await assert.rejects(attempt, { code: '42501' })
    })
  }
})

const ofTheService = ['compact_marks', 'compact_next_tallies', 'drop_old_entries', 'begin_epoch', 'record_uses']

test('security definer functions have a fixed search_path, and only the five of the service can be called', async () => {
  const found = await owner`
    select
      proname as name, proconfig @> '{"search_path=pg_catalog, pg_temp"}' as safe,
      has_function_privilege('workgate_api', oid, 'execute') as called, has_function_privilege('public', oid, 'execute') as by_all
    from pg_proc
    where pronamespace = 'workgate'::regnamespace
      and prosecdef`
  assert.ok(found.length >= 19)
  for (const { name, safe, called, by_all } of found) {
    assert.deepEqual([safe, called, by_all], [true, ofTheService.includes(name), false], name)
  }
})

test('workgate_api cannot use trigger functions to write with the privileges of the owner', async () => {
  const name = new URL(url).pathname.slice(1)
  await owner.unsafe(`grant temporary on database ${name} to public`)
  await least`create temp table mine (project_id uuid, id uuid, version bigint, state text)`
  for (const write of ['record_tasks', 'record_projects', 'record_truncate', 'fill_task']) {
    const trigger = least.unsafe(`
      create trigger mine after insert on mine
      referencing new table as new_rows for each statement execute function workgate.${write}()`)
    await assert.rejects(trigger, { code: '42501', message: /^permission denied for function/ })
  }
  await least`drop table mine`
})

test('workgate_api cannot hide its changes from the history, whatever it sets', async () => {
  const entries = async () => (await owner`select from workgate.task_history where project_id = ${web}`).length
  const before = await entries()
  const [tag] = await owner`insert into workgate.tags (project_id, name) values (${web}, 'x') returning id`
  await least.begin(async (sql) => {
    await sql`select set_config('workgate.housekeeping', 'on', true)`
    await sql`update workgate.tasks set state = 'cancelled' where project_id = ${web} and number = 1`
    await sql`insert into workgate.task_tags select project_id, id, ${tag!['id']} from workgate.tasks where project_id = ${web} and number = 2`
  })
  assert.equal(await entries(), before + 2)
})

test('workgate_api can add only projects that it creates to a key, and to the other valid keys of its rotation', async () => {
  const maker = await issueKey(owner, 'maker', { projects: [web] })
  await issueKey(owner, 'other', { projects: [web] })
  for (const overlap of ['0', '1 hour']) await owner`select workgate.rotate_key('maker', ${overlap})`
  const create = (actor: string, id: string, key: string) =>
    least.begin(async (sql) => {
      await sql`select set_config('workgate.actor', ${actor}, true)`
      await sql`insert into workgate.projects_here (id, key, name) values (${id}, ${key}, 'Made')`
    })
  const keyId = maker.slice(3, 15)
  const made = crypto.randomUUID()
  await create(JSON.stringify({ keyId, name: 'other' }), made, 'MADE')
  await create('maker', crypto.randomUUID(), 'NAMED')
  await create(JSON.stringify({ name: 'maker' }), crypto.randomUUID(), 'BARE')
  await assert.rejects(create(JSON.stringify({ keyId }), web, 'AGAIN'), { constraint_name: 'projects_pkey' })
  const rows = await owner`
    select name || ' ' || status as key, project_ids from workgate.keys
    where name in ('maker', 'other') order by name, revoked_at nulls last`
  assert.deepEqual(
    rows.map(({ key, project_ids }) => [key, project_ids]),
    [
      ['maker revoked', [web]],
      ['maker rotated', [web, made]],
      ['maker active', [web, made]],
      ['other active', [web]],
    ],
  )
})

// No request would report a failure.
test('workgate_api can do the background work of the service', async () => {
  const run = { run: async <Row>(text: string, values: readonly unknown[] = []) => (await least.unsafe(text, values as string[])) as unknown as Row[] } // prettier-ignore
  await query(anyKeySql)(run, {})
  await query(recordUsesSql)(run, { keyIds: [key.slice(3, 15)], times: ['2026-01-01T00:00:00Z'] })
  await query(recordUsesSql)(run, { keyIds: [key.slice(3, 15)], times: ['2026-01-02T00:00:00Z'] })
  await owner`insert into workgate.idempotency_records values (${web}, 'k', 'r', 'i', 'x', 200, '{}', '2026-01-01')`
  await query(purgeIdempotencyRecordsSql)(run, {})
  await query(compactMarksSql)(run, {})
  await query(beginEpochSql)(run, {})
  await query(compactNextTalliesSql)(run, { after: '00000000-0000-0000-0000-000000000000' })
  const [left] = await owner`
    select
      (select count(*)::int from workgate.tally_deltas) as deltas,
      (select count(*)::int from workgate.freshness_marks) as changes,
      (select count(*)::int from workgate.idempotency_records) as records,
      (select last_used_at::date::text from workgate.api_key_uses) as used`
  assert.deepEqual({ ...left }, { deltas: 0, changes: 0, records: 0, used: '2026-01-02' })
})

describe('the grants script', { concurrency: false }, () => {
  const mayDelete = async () =>
    (await owner`select has_table_privilege('workgate_api', 'workgate.tasks', 'delete') as may`)[0]!['may']
  const mayRead = async () =>
    (await owner`select has_table_privilege('workgate_api', 'workgate.tasks', 'select') as may`)[0]!['may']

  test('creates a missing role without a password', async () => {
    const made = owner.begin(async (sql) => {
      await sql`alter role workgate_api rename to another`
      await sql.unsafe(workgateApiSql)
      const [role] = await sql`
        select rolcanlogin, rolpassword, rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as more
        from pg_authid where rolname = 'workgate_api'`
      throw role
    })
    await assert.rejects(made, { rolcanlogin: true, rolpassword: null, more: false })
  })

  test('revokes privileges that it does not grant', async () => {
    await owner`grant delete, truncate on workgate.tasks to workgate_api`
    assert.equal(await mayDelete(), true)
    await grant()
    assert.equal(await mayDelete(), false)
  })

  test('reports what every role can create in this database', async () => {
    const notices: string[] = []
    const sql = connect(url, { max: 1, onnotice: ({ message }) => notices.push(message!) })
    await sql.unsafe(workgateApiSql)
    await sql.end()
    const name = new URL(url).pathname.slice(1)
    assert.deepEqual(notices, [
      `workgate_api can create temporary tables, as every role can. To prevent this: revoke temporary on database ${name} from public`,
    ])
  })

  test('runs again after the last migration, but only if the role has privileges', async () => {
    const db = suitePool(url)
    await owner`revoke select on workgate.tasks from workgate_api`
    const more = (n: number) => ({ name: `0900-${n}`, text: `create table workgate.more_${n} ()` })
    await migrate(db, [...migrations, more(1), more(2)], quiet)
    assert.equal(await mayRead(), true)
    await owner`revoke all on all tables in schema workgate from workgate_api`
    await owner`revoke usage on schema workgate from workgate_api`
    await migrate(db, [...migrations, more(1), more(2), more(3)], quiet)
    assert.equal(await mayRead(), false)
    await grant()
  })
})
