// workgate export to CSV: the import of the sheet into an empty database gives the same tasks.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { exportFile } from '../../src/commands/export.ts'
import { readConfig } from '../../src/config/config.ts'
import { sheetFields } from '../../src/import/sheet-columns.ts'
import { id } from '../support/data.ts'
import { insertData as insertRandomData, large } from '../oracle/oracle-data.ts'
import { commandContext } from '../support/doctor.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { createImporter } from './importing.ts'

/** Spreadsheet programs would calculate some of them. */
const awkward = ['=1+1', '+49 30', '-1', '@sum', '\t=1', ' spaces ', 'a;b', '"', '""', 'a\rb', 'sep=;', '\ufeffx', "'1"]

const source = await suiteDatabase(async (sql) => {
  await insertRandomData(sql)
  // A sheet has no boards. The stages of its tasks are of one, and every task has one.
  await sql`update workgate.stages set name = name || ' ' || substr(md5(id::text), 1, 4)`
  await sql`
    update workgate.tasks t set board_id = s.board_id, stage_id = s.id
    from (select distinct on (project_id) * from workgate.stages order by project_id, id) s
    where s.project_id = t.project_id and t.stage_id is null`
  await sql`insert into workgate.users (id, name) values (${id('user', 1)}, 'Lovelace, Ada'), (${id('user', 2)}, 'Grace')`
  await sql`
    insert into workgate.project_members (project_id, user_id) values (${large}, ${id('user', 1)}), (${large}, ${id('user', 2)})`
  await sql`
    insert into workgate.tasks (project_id, id, title, description, stage_id, assignee_id, creator_id)
    select ${large}, n.id::uuid, n.title, n.description, (select stage_id from workgate.tasks where project_id = ${large} limit 1),
      ${id('user', 1)}, ${id('user', 1)}
    from jsonb_to_recordset(${sql.json(awkward.map((title, n) => ({ id: id('task', n + 1), title, description: `${title}\r\n${title}` })))}::jsonb)
      as n (id text, title text, description text)`
  await sql`
    insert into workgate.task_watchers (project_id, task_id, user_id)
    values (${large}, ${id('task', 1)}, ${id('user', 1)}), (${large}, ${id('task', 2)}, ${id('user', 1)}), (${large}, ${id('task', 2)}, ${id('user', 2)})`
})
const target = await suiteDatabase()
const { importPath } = await createImporter(target.url)
const folder = await mkdtemp(join(tmpdir(), 'workgate-sheet-'))
after(() => rm(folder, { recursive: true }))
const [{ key }] = (await source.sql`select key from workgate.projects where id = ${large}`) as unknown as [
  { key: string },
]

async function exported(url: string, ...args: string[]): Promise<string> {
  const context = commandContext(readConfig({ DATABASE_URL: url }, () => ''))
  const output = new PassThrough()
  const [written] = await Promise.all([
    text(output),
    exportFile({ ...context, output, args }).finally(() => output.end()),
  ])
  return written
}

async function exportedSheet(url: string, file: string): Promise<string> {
  const path = join(folder, file)
  await exported(url, '--project', key, path)
  return readFile(path, 'utf8')
}

const sheet = await exportedSheet(source.url, 'tasks.csv')

test('it has a column for every field that the import reads', () => {
  const [header] = sheet.split('\r\n')
  const own = ['billed', 'decided', 'effort', 'labels', 'points', 'sprint'].map((name) => `fields.${name}`)
  assert.deepEqual(header!.split(',').sort(), [...sheetFields, ...own].sort())
})

test('the import creates the same tasks, and again changes nothing', async () => {
  const { error, counts, output } = await importPath(join(folder, 'tasks.csv'))
  assert.equal(error, undefined)
  // The types of the columns are those of their values.
  assert.match(
    output,
    /Notes:\n {2}own fields were declared \(billed: boolean, decided: date, effort: number, labels: text, points: number, sprint: text\): 6$/m,
  )
  assert.deepEqual(counts['tasks'], {
    created: (await source.sql`select from workgate.tasks where project_id = ${large}`).length,
  })
  assert.equal(await exportedSheet(target.url, 'again.csv'), sheet)
  const again = await importPath(join(folder, 'again.csv'))
  assert.deepEqual(again.counts['tasks'], { unchanged: counts['tasks']!['created'] })
})

test('the import into the project that it comes from changes nothing', async () => {
  const { error, counts } = await (await createImporter(source.url)).importPath(join(folder, 'tasks.csv'))
  assert.equal(error, undefined)
  assert.deepEqual(Object.keys(counts['tasks']!), ['unchanged'])
})

test('--format chooses it for standard output, and JSON Lines for a file', async () => {
  assert.equal(await exported(source.url, '--project', key.toLowerCase(), '--format', 'csv'), sheet)
  assert.equal(await exported(source.url, '--project', key, '--format', 'csv', '-'), sheet)
  const path = join(folder, 'lines.csv')
  await exported(source.url, '--format', 'jsonl', path)
  assert.match(await readFile(path, 'utf8'), /^\{"kind":"user"/)
})

// prettier-ignore
const refused: [claim: string, args: string[], message: RegExp][] = [
  ['several projects',   ['tasks.CSV'],                                /^a CSV file has the tasks of one project: add --project KEY/],
  ['an unknown format',  ['--format', 'xlsx'],                         /^--format must be one of jsonl, csv, not "xlsx"$/],
  ['an unknown project', ['--project', 'none', '--format', 'csv'],     /^no project has the key NONE: "workgate projects" lists them$/],
  ['an invalid project', ['--project', 'no key', '--format', 'csv'],   /^--project must be 2 to 12 of the characters A-Z and 0-9/],
]

describe('refused', () => {
  for (const [claim, args, message] of refused)
    test(claim, () => assert.rejects(exported(source.url, ...args), { name: 'UsageError', message }))
})
