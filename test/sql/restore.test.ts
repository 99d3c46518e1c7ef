// A restored dump has correct tallies: the whole database or only its rows, with triggers enabled or disabled.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { readChapter, readCodeBlocks } from '../support/code-blocks.ts'
import { id, insertData, web } from '../support/data.ts'
import { run } from '../support/environment.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { insertTasks } from '../support/tasks.ts'
import type { Sql } from '../support/workgate.ts'

const { postgresBin } = run()
const program = (name: string, ...args: string[]) => promisify(execFile)(join(postgresBin!, name), args)
const skip = postgresBin ? false : 'pg_dump does not come with the embedded PostgreSQL: run it with --postgres FOLDER'

describe('restoring', { skip, concurrency: false }, () => {
  let database: Awaited<ReturnType<typeof suiteDatabase>>
  let folder: string
  let figures: unknown

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workgate-dump-'))
    database = await suiteDatabase(insertData)
    await insertTasks(database.sql)
    await spendTime(database.sql)
    // Part of the deltas is compacted.
    await database.sql`select workgate.compact_tallies(id) from workgate.projects`
    await database.sql`update workgate.tasks set state = 'completed' where id = ${id('task', 1)}`
    await spendTime(database.sql)
    figures = await figuresOf(database.sql)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const spendTime = (sql: Sql) => sql`
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
    select project_id, id, ${id('user', 1)}, '2026-01-01', '2026-01-01T10:00Z', '2026-01-01T11:00Z'
    from workgate.tasks where estimate_seconds is not null`

  const figuresOf = async (sql: Sql) =>
    (
      await sql`
        select kind, key, part, sum(n)::int as n, sum(seconds)::int as seconds
        from workgate.tallied(${web}, '{state,stage,assignee,time,effort,comments,documents,members}', '-infinity', 'infinity')
        group by 1, 2, 3
        having sum(n) <> 0 or sum(seconds) <> 0
        order by 1, 2, 3`
    ).map((row) => ({ ...row }))

  const wrong = async (sql: Sql) => (await sql`select workgate.recount(id, false) from workgate.projects`).length

  const restored = async (template: string, dump: string[], restore: string[]) => {
    const file = join(folder, crypto.randomUUID())
    await program('pg_dump', '-Fc', '-f', file, ...dump, database.url)
    const copy = await suiteDatabase(undefined, template)
    await program('pg_restore', '--exit-on-error', '-d', copy.url, ...restore, file)
    return copy
  }

  test('the whole database gives correct tallies, and later changes are counted', async () => {
    const { sql } = await restored('template0', [], [])
    assert.deepEqual(await figuresOf(sql), figures)
    assert.equal(await wrong(sql), 0)
    await sql`delete from workgate.tasks where id = ${id('task', 6)}`
    assert.notDeepEqual(await figuresOf(sql), figures)
    assert.equal(await wrong(sql), 0)
  })

  const rows = ['--data-only', '-n', 'workgate', '-T', 'workgate.(migrations|cursor_secrets)']
  const withoutTriggers = ['--data-only', '--disable-triggers']

  test('all rows with --disable-triggers gives correct tallies, which are part of the dump', async () => {
    const { sql } = await restored('template_workgate', rows, withoutTriggers)
    assert.deepEqual(await figuresOf(sql), figures)
    assert.equal(await wrong(sql), 0)
  })

  test('rows without tallies with --disable-triggers gives correct tallies after recount', async () => {
    const kept = ['tallies', 'tally_deltas', 'task_efforts', 'effort_marks']
    const without = [...rows, ...kept.flatMap((table) => ['-T', `workgate.${table}`])]
    const { sql } = await restored('template_workgate', without, withoutTriggers)
    assert.deepEqual(await figuresOf(sql), [])
    assert.ok((await wrong(sql)) > 0)
    await sql`select workgate.recount(id) from workgate.projects`
    assert.deepEqual(await figuresOf(sql), figures)
    assert.equal(await wrong(sql), 0)
  })

  test('a database of an unreleased version, moved with the commands of the guide, has the same rows', async () => {
    const { sql, url } = await suiteDatabase()
    await database.sql`update workgate.tasks set title = 'Renamed', state = 'open' where id = ${id('task', 4)}`
    await database.sql`delete from workgate.tasks where project_id = ${web} and number = (select max(number) from workgate.tasks where project_id = ${web})`
    await database.sql`select workgate.issue_key('moved', 'all_projects')`
    figures = await figuresOf(database.sql)
    const environment = { ...process.env, PATH: `${postgresBin}:${process.env['PATH']}`, OLD: database.url, NEW: url }
    await promisify(execFile)('sh', ['-ec', await commandsOfGuide()], { cwd: folder, env: environment })
    for (const table of await dataTables(sql)) {
      assert.deepEqual(await rowsOf(sql, table), await rowsOf(database.sql, table), table)
    }
    assert.deepEqual(await figuresOf(sql), figures)
    assert.equal(await wrong(sql), 0)
  })

  /** The commands, without the lines that set OLD and NEW and migrate. */
  const commandsOfGuide = async () => {
    const guide = await readFile('src/docs/guides/backup.md', 'utf8')
    const [block] = readCodeBlocks(readChapter(guide, '## Data of an unreleased version'))
    return block!.code.replace(/^(OLD|NEW|DATABASE_URL)=.*\n/gm, '')
  }

  const notMoved = ['migrations', 'freshness_marks', 'freshness_versions', 'tallies', 'tally_deltas', 'task_efforts', 'effort_marks', 'idempotency_records', 'journal', 'journal_horizon', 'epochs', 'cursor_secrets'] // prettier-ignore

  const dataTables = async (sql: Sql) =>
    (await sql`select relname from pg_class where relnamespace = 'workgate'::regnamespace and relkind = 'r'`)
      .map((row) => row['relname'] as string)
      .filter((table) => !notMoved.includes(table))

  const rowsOf = async (sql: Sql, table: string) =>
    (await sql.unsafe(`select to_jsonb(t) as row from workgate.${table} t order by to_jsonb(t)::text`)).map(
      ({ row }) => row,
    )

  test('the command of the guide analyzes every table of the schema, and no other', async () => {
    const { sql, url } = await restored('template0', [], [])
    const blocks = readCodeBlocks(await readFile('src/docs/guides/backup.md', 'utf8'))
    const command = blocks.find(({ code }) => code.includes('gexec'))!.code
    const environment = { ...process.env, PATH: `${postgresBin}:${process.env['PATH']}`, DATABASE_URL: url }
    const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', command], { env: environment })
    const tables =
      await sql`select from pg_class where relnamespace = 'workgate'::regnamespace and relkind in ('r', 'p')`
    assert.deepEqual([stdout, stderr], ['ANALYZE\n'.repeat(tables.length), ''])
  })

  test('one table with triggers counts its rows', async () => {
    const { sql, url } = await restored('template0', [], [])
    await sql`truncate workgate.comments cascade`
    const file = join(folder, 'comments')
    await program('pg_dump', '-Fc', '-f', file, '--data-only', '-t', 'workgate.comments', database.url)
    await program('pg_restore', '--exit-on-error', '-d', url, file)
    assert.deepEqual(await figuresOf(sql), figures)
    assert.equal(await wrong(sql), 0)
  })
})
