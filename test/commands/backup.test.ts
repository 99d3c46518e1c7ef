// workgate backup and workgate restore.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { backup } from '../../src/commands/backup/backup.ts'
import { createDigest, digestOf } from '../../src/commands/backup/backup-file.ts'
import { restore } from '../../src/commands/backup/restore.ts'
import { savedTables } from '../../src/commands/backup/tables.ts'
import { readConfig } from '../../src/config/config.ts'
import { id, insertData, web } from '../support/data.ts'
import { commandContext } from '../support/doctor.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { insertTasks } from '../support/tasks.ts'
import { valuesOf } from '../support/values.ts'
import { asLeast, issueKey, type Sql } from '../support/workgate.ts'

const folder = await mkdtemp(join(tmpdir(), 'workgate-backup-'))
after(() => rm(folder, { recursive: true }))
const file = join(folder, 'workgate.backup')

const source = await suiteDatabase(async (sql) => {
  await insertData(sql)
  await insertTasks(sql)
  await sql`update workgate.tasks set title = ${`a "quoted" \\ title,\nin two lines — 設計 🚀`} where number = 1`
  // A subtask that is restored in an earlier statement than its parent.
  await sql`update workgate.tasks set description = ${'x'.repeat(100_000)} where number <= 3`
  await sql`update workgate.tasks set parent_id = ${id('task', 4)} where id = ${id('task', 3)}`
  await sql`delete from workgate.task_tags where task_id = ${id('task', 1)}`
  await sql`delete from workgate.tasks where project_id = ${web} and number = (select max(number) from workgate.tasks where project_id = ${web})`
  await issueKey(sql, 'first')
  await sql`select workgate.rotate_key('first', '1 hour')`
  await sql`insert into workgate.sources (project_id, tool, address, namespace) values (${web}, 'gitea', 'https://git.example/ann/web', 'x')`
  await sql`insert into workgate.source_progress (project_id, round) values (${web}, 7)`
  await sql`insert into workgate.source_items values (${web}, 'task', '1', ${id('task', 1)}, null, 'x')`
  await sql`insert into workgate.idempotency_records values (gen_random_uuid(), 'k', 'r', 'i', '', 201, '{}')`
})

interface Streams {
  input?: AsyncIterable<Uint8Array>
  output?: PassThrough
}

/** Runs a command in this process. Returns the text that it prints. */
async function run(command: typeof backup, url: string, path: string, streams: Streams = {}): Promise<string> {
  const lines: string[] = []
  const context = commandContext(readConfig({ DATABASE_URL: url }, () => ''))
  await command({ ...context, ...streams, args: [path], print: (text) => lines.push(text) })
  return lines.join('\n')
}

const emptyDatabase = () => suiteDatabase(undefined, 'template0')

/** All rows, without the ids of transactions. */
async function rowsOf(sql: Sql): Promise<Record<string, unknown[]>> {
  const tables = savedTables.map(async (table) => {
    const rows = await sql.unsafe(
      `select to_jsonb(t) - 'xid' as row from workgate.${table} t order by to_jsonb(t)::text`,
    )
    return [table, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(tables))
}

const differences = async (sql: Sql) => (await sql`select workgate.recount(id, false) from workgate.projects`).length

/** The lines of the backup, to be changed. */
const linesOf = async () =>
  gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
const compress = (lines: readonly string[]) => gzipSync(lines.map((line) => `${line}\n`).join(''))

type Change = (lines: string[], bytes: Buffer) => Uint8Array

/** A backup with changed lines, whose digest is that of its contents. */
const withLines =
  (change: (lines: string[]) => string[]): Change =>
  (all) => {
    const lines = change(all.slice(0, -1))
    const digests: Record<string, string> = {}
    for (const [n, line] of lines.entries()) {
      const { table } = line.startsWith('{') ? JSON.parse(line) : {}
      if (!table) continue
      const digest = createDigest()
      for (let row = n + 1; lines[row]?.startsWith('['); row++) digest.add(lines[row]!)
      digests[table] = digest.end()
    }
    const heads = lines.filter((line) => !line.startsWith('['))
    return compress([...lines, JSON.stringify({ digest: digestOf(heads, digests) })])
  }

const withHeader = (change: (header: any) => void): Change =>
  withLines(([first, ...rest]) => {
    const header = JSON.parse(first!)
    change(header)
    return [JSON.stringify(header), ...rest]
  })

/** A backup with other lines for a table: its head and its rows. */
const withTable = (name: string, change: (lines: string[]) => string[]): Change =>
  withLines((lines) => {
    const start = lines.findIndex((line) => line.startsWith(`{"table":"${name}"`))
    const rest = lines.slice(start + 1)
    const rows = rest.findIndex((line) => !line.startsWith('['))
    const end = rows < 0 ? lines.length : start + 1 + rows
    return [...lines.slice(0, start), ...change(lines.slice(start, end)), ...lines.slice(end)]
  })

const withHead = (change: (head: any) => void): Change =>
  withTable('tags', ([head, ...rows]) => {
    const changed = JSON.parse(head!)
    change(changed)
    return [JSON.stringify(changed), ...rows]
  })

const printed = await run(backup, source.url, file)

test('a restored database has the same rows, keys included, and correct tallies', async () => {
  const target = await emptyDatabase()
  assert.match(printed, /^Saved \d+ projects, [\d,]+ tasks, \d+ users and 2 API keys in .*workgate\.backup\.$/)
  assert.match(await run(restore, target.url, file), /^Restored \d+ projects, .* and 2 API keys, saved at 20.*Z\.$/)
  assert.deepEqual(await rowsOf(target.sql), await rowsOf(source.sql))
  assert.equal(await differences(target.sql), 0)
  assert.equal((await target.sql`select from workgate.idempotency_records`).length, 0)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})

test('- writes to standard output and reads standard input', async () => {
  const output = new PassThrough()
  const [bytes] = await Promise.all([
    buffer(output),
    run(backup, source.url, '-', { output }).then((text) => (output.end(), assert.equal(text, ''))),
  ])
  const target = await emptyDatabase()
  await run(restore, target.url, '-', { input: Readable.from([bytes]) })
  assert.deepEqual(await rowsOf(target.sql), await rowsOf(source.sql))
})

test('a backup contains one moment, whatever is written meanwhile', async () => {
  const { sql, url } = await suiteDatabase()
  const writers = [1, 2, 3]
  let isWriting = true
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  let transactions = 0

  /** The nth transaction of a writer creates its nth task with a comment, and deletes the one before the last. */
  async function write(writer: number) {
    const [project] = await sql`insert into workgate.projects (key, name) values (${`W${writer}`}, '0') returning id`
    for (let n = 1; isWriting; n++) {
      await sql.begin(async (transaction) => {
        await transaction`update workgate.projects set name = ${String(n)} where id = ${project!['id']}`
        const [task] =
          await transaction`insert into workgate.tasks (project_id, title) values (${project!['id']}, ${String(n)}) returning id`
        await transaction`insert into workgate.comments (project_id, task_id, body) values (${project!['id']}, ${task!['id']}, ${String(n)})`
        await transaction`delete from workgate.tasks where project_id = ${project!['id']} and title = ${String(n - 2)}`
      })
      if (++transactions === 60) begin()
    }
  }
  const writing = Promise.all(writers.map(write))
  await begun
  const path = join(folder, 'moment')
  await run(backup, url, path)
  isWriting = false
  await writing

  const target = await emptyDatabase()
  await run(restore, target.url, path)
  const rows = await target.sql`
    select
      p.name::int as n, counter.last_number::int as numbers,
      array(select t.title::int from workgate.tasks t where t.project_id = p.id order by t.number) as tasks,
      array(select c.body::int from workgate.comments c where c.project_id = p.id order by c.id) as comments
    from workgate.projects p
    join workgate.task_counters counter on counter.project_id = p.id`
  assert.equal(rows.length, writers.length)
  for (const { n, ...row } of rows) assert.deepEqual(row, { numbers: n, tasks: [n - 1, n], comments: [n - 1, n] })
  assert.equal(await differences(target.sql), 0)
})

const withLaterTable: Change = (lines, bytes) => {
  const later = withHeader(({ migrations }) => migrations.push({ name: '0099-later', checksum: '' }))(lines, bytes)
  const changed = gunzipSync(later).toString().trimEnd().split('\n')
  return withHead((head) => (head.table = 'labels'))(changed, bytes)
}

// prettier-ignore
const damages: [damage: string, change: Change, message: RegExp][] = [
  ['cut off',             (_, bytes) => bytes.subarray(0, bytes.length / 2),                    /is incomplete: its end is missing$/],
  ['with a changed byte', (_, bytes) => bytes.fill(bytes[2_000]! ^ 1, 2_000, 2_001),            /is damaged/],
  ['without its end',     (lines) => compress(lines.slice(0, -1)),                              /is incomplete: its end is missing$/],
  ['without a row',       (lines) => compress(lines.toSpliced(-3, 1)),                          /is damaged: its digest is not that of its contents$/],
  ['with a changed row',  (lines) => compress(lines.map((line) => line.replace('open', 'done'))), /is damaged: its digest is not that of its contents$/],
  ['with something more', (lines) => compress([...lines, '[]']),                                /is damaged: something follows its end$/],
  ['that is empty',       () => gzipSync(''),                                                   /is empty$/],
  ['of another program',  () => Buffer.from('PGDMP'),                                           /is not a backup of Workgate$/],
  ['of another kind',     () => compress(['{"kind":"project"}']),                               /is not a backup of Workgate$/],
  ['of a later format',   withHeader((header) => (header.format = 2)),                                  /is a backup of a later version of Workgate \(\d/],
  ['of a later version',  withHeader(({ migrations }) => migrations.push({ name: '0099-later', checksum: '' })), /is a backup of a later version of Workgate \(.*\): use that version$/],
  ['of a later version, with a table of it', withLaterTable,                                         /is a backup of a later version of Workgate \(.*\): use that version$/],
  ['of an unreleased version', withHeader(({ migrations }) => (migrations[0].checksum = '0')), /is a backup of an unreleased version of Workgate, which has another migration 0001-directory$/],
  ['whose header is null',     withLines((lines) => ['null', ...lines.slice(1)]),                    /is not a backup of Workgate$/],
  ['without a version',        withHeader((header) => delete header.version),                        /is not a backup of Workgate: its header has no valid "version"$/],
  ['with a control character in its version', withHeader((header) => (header.version = '1\u001b[2J')), /is not a backup of Workgate: its header has no valid "version"$/],
  ['with another time',        withHeader((header) => (header.takenAt = 'yesterday')),               /its header has no valid "takenAt"$/],
  ['without migrations',       withHeader((header) => delete header.migrations),                     /its header has no valid "migrations"$/],
  ['with a bad migration',     withHeader(({ migrations }) => (migrations[1].checksum = 1)),         /its header has no valid "migrations.1.checksum"$/],
  ['with no number of rows',   withHeader(({ rows }) => (rows.tasks = '12')),                        /its header has no valid "rows.tasks"$/],
  ['with rows of no table',    withHeader(({ rows }) => (rows.more = 1)),                            /its header has no valid "rows.more"$/],
  ['with another number of rows', withHeader(({ rows }) => rows.tags++),                             /is damaged: it has \d+ rows of tags instead of \d+$/],
  ['with more rows',           withTable('tags', (lines) => [...lines, lines.at(-1)!]),              /is damaged: it has \d+ rows of tags instead of \d+$/],
  ['without a table',          withTable('tags', () => []),                                          /is incomplete: the table tags is missing$/],
  ['with a table twice',       withTable('tags', (lines) => [...lines, ...lines]),                   /is damaged: it contains the table tags twice$/],
  ['with an unknown table',    withHead((head) => (head.table = 'labels')),                          /is damaged: a table has no valid "table"$/],
  ['without columns',          withHead((head) => delete head.columns),                              /is damaged: a table has no valid "columns"$/],
  ['with a bad column',        withHead(({ columns }) => (columns[1] = 1)),                          /is damaged: a table has no valid "columns.1"$/],
  ['with a column twice',      withHead(({ columns }) => columns.push(columns[0])),                  /is damaged: a table has no valid "columns"$/],
  ['with a line of another kind', withLines((lines) => [...lines, '5']),                             /is damaged: a table is not an object$/],
]
for (const [damage, change, message] of damages) {
  test(`a file ${damage} is refused before anything is written`, async () => {
    const path = join(folder, 'damaged')
    await writeFile(path, change(await linesOf(), await readFile(file)))
    // There is no such server.
    await assert.rejects(run(restore, 'postgres://nobody@127.0.0.1:1/none', path), { message })
  })
}

test('a backup of an earlier version is restored, and all migrations are applied', async () => {
  const path = join(folder, 'earlier')
  const change = withHeader(({ migrations }) => migrations.pop())
  await writeFile(path, change(await linesOf(), await readFile(file)))
  const { sql, url } = await emptyDatabase()
  await run(restore, url, path)
  assert.deepEqual(await rowsOf(sql), await rowsOf(source.sql))
  assert.equal((await sql`select from workgate.migrations`).length, migrations.length)
})

test('a later schema can have more columns, but not fewer', async () => {
  const more = await suiteDatabase((sql) => sql`alter table workgate.boards add column color text default 'red'`)
  await run(restore, more.url, file)
  assert.ok((await more.sql`select from workgate.boards where color = 'red'`).length > 0)
  const fewer = await suiteDatabase((sql) => sql`alter table workgate.boards drop column archived cascade`)
  await assert.rejects(run(restore, fewer.url, file), /has a later schema, without boards\.archived/)
  assert.equal((await fewer.sql`select from workgate.users`).length, 0)
})

test('nothing is restored if rows would not be what they were', async () => {
  const { sql, url } = await suiteDatabase()
  await sql.unsafe(`
    create function pg_temp.change() returns trigger language plpgsql as $$ begin new.name := new.name || '!'; return new; end $$;
    create trigger change before insert on workgate.boards for each row execute function pg_temp.change()`)
  await assert.rejects(run(restore, url, file), /nothing was restored: the rows of boards would differ from the backup/)
  assert.equal((await sql`select from workgate.users`).length, 0)
})

for (const [damage, change, message] of [
  ['damaged', (lines) => compress(lines.toSpliced(-2, 1)), /^Error: standard input is damaged/],
  [
    'incomplete',
    withTable('documents', () => []),
    /^Error: standard input is incomplete: the table documents is missing$/,
  ],
] satisfies typeof damages) {
  test(`standard input that is ${damage} writes nothing`, async () => {
    const { sql, url } = await suiteDatabase()
    const bytes = change(await linesOf(), await readFile(file))
    await assert.rejects(run(restore, url, '-', { input: Readable.from([bytes]) }), message)
    assert.equal((await sql`select from workgate.projects`).length, 0)
  })
}

test(
  'a restore that fails closes standard input, which would keep the process running',
  { timeout: 60_000 },
  async () => {
    const bytes = await readFile(file)
    const input = new PassThrough()
    const closed = new Promise((resolve) => input.once('close', resolve))
    input.write(bytes)
    await assert.rejects(run(restore, source.url, '-', { input }), /the database is not empty/)
    await closed
  },
)

test('a database with rows is not changed', async () => {
  const before = await rowsOf(source.sql)
  await assert.rejects(run(restore, source.url, file), /the database is not empty: workgate\.users has rows\. Restore/)
  assert.deepEqual(await rowsOf(source.sql), before)
})

test('only the owner of the schema can save and restore', async () => {
  await assert.rejects(run(backup, asLeast(source.url), join(folder, 'least')), { code: '42501' })
  await assert.rejects(stat(join(folder, 'least')), { code: 'ENOENT' })
  await assert.rejects(run(restore, asLeast((await suiteDatabase()).url), file), { code: '42501' })
})

test('every table is saved, or filled by triggers, the service or imports', async () => {
  const notSaved = ['cursor_secrets', 'effort_marks', 'epochs', 'freshness_marks', 'freshness_versions', 'idempotency_records', 'import_changes', 'imports', 'journal', 'journal_horizon', 'migrations', 'tallies', 'tally_deltas', 'task_efforts'] // prettier-ignore
  const rows =
    await source.sql`select relname from pg_class where relnamespace = 'workgate'::regnamespace and relkind = 'r' order by 1`
  assert.deepEqual(valuesOf(rows, 'relname'), [...notSaved, ...savedTables].toSorted())
})

test('restore searches and copies each byte of a long line once or twice, and refuses a first line that is too long', async (t) => {
  const line = JSON.stringify(['x'.repeat(8_000_000)])
  const path = join(folder, 'long-line')
  await writeFile(path, compress([...(await linesOf()).slice(0, -1), line]))
  let bytes = 0
  const { split } = String.prototype
  t.mock.method(String.prototype, 'split', function (this: string, ...args: unknown[]) {
    bytes += this.length
    return split.apply(this, args as never)
  } as typeof split)
  const { indexOf } = Buffer.prototype
  t.mock.method(Buffer.prototype, 'indexOf', function (this: Buffer, value: number, start = 0) {
    const found = indexOf.call(this, value, start)
    bytes += (found < 0 ? this.length : found) - start
    return found
  } as typeof indexOf)
  const { concat } = Buffer
  t.mock.method(Buffer, 'concat', (list: Uint8Array[]) => {
    for (const { length } of list) bytes += length
    return concat(list)
  })
  await assert.rejects(run(restore, source.url, path), /incomplete: its end is missing$/)
  assert.ok(bytes > line.length && bytes < 3 * line.length, `${bytes} bytes`)
  await writeFile(path, gzipSync(line))
  await assert.rejects(run(restore, source.url, path), /is not a backup of Workgate$/)
})
