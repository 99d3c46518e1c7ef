// workgate fields list, add and remove.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fields } from '../../src/commands/fields/fields.ts'
import { app, insertData, web } from '../support/data.ts'
import { commandRunner } from '../support/run-command.ts'
import { suiteDatabase } from '../support/suite-database.ts'

const { sql, url } = await suiteDatabase(insertData)
const run = commandRunner(fields, url)

const indexes = async () =>
  (
    await sql`select indexname as name from pg_indexes where schemaname = 'workgate' and indexname like '%by_field%'`
  ).map(({ name }) => name as string)

test('fields are declared, listed and removed', async () => {
  assert.equal(
    (await run([])).out,
    'There are no own fields. Declare one with "workgate fields add storyPoints --type number".',
  )
  assert.equal((await run(['add', 'storyPoints', '--type', 'number'])).out, 'storyPoints is a field of the tasks of all projects, of the type number.') // prettier-ignore
  assert.equal((await run(['add', 'sprint', '--type', 'text', '--project', 'web'])).out, 'sprint is a field of the tasks of WEB, of the type text.') // prettier-ignore
  assert.equal((await run(['add', 'storyPoints', '--type', 'number', '--project', 'app'])).error, undefined)
  assert.equal(
    (await run(['list'])).out,
    'NAME         TYPE    PROJECT  INDEX\nsprint       text    WEB      no\nstoryPoints  number  all      no',
  )
  await sql`update workgate.tasks set fields = '{"sprint": "Sprint 3"}' where project_id = ${web} and number = 1`
  assert.equal(
    (await run(['remove', 'sprint', '--project', 'WEB'])).error,
    '1 task has a value of sprint: take it from them first (see /docs/own-fields)',
  )
  await sql`update workgate.tasks set fields = fields - 'sprint'`
  assert.equal((await run(['remove', 'sprint'])).error, 'sprint is not declared for the tasks of all projects: "workgate fields" lists the declarations') // prettier-ignore
  assert.equal((await run(['remove', 'sprint', '--project', 'WEB'])).out, 'sprint is no field of the tasks of WEB any more.') // prettier-ignore
  assert.deepEqual(JSON.parse((await run(['--json'])).out), [
    { name: 'storyPoints', type: 'number', project: null, indexed: false },
  ])
})

test('an index is created while the service runs, and goes with the last declaration', async () => {
  for (const key of ['WEB', 'APP'])
    assert.equal((await run(['add', 'release', '--type', 'text', '--project', key, '--index'])).error, undefined)
  assert.deepEqual(await indexes(), ['tasks_by_field_release'])
  assert.match((await run([])).out, /^release +text +APP +yes$/m)
  // What remains of an interrupted creation.
  await sql`update pg_index set indisvalid = false where indexrelid = 'workgate.tasks_by_field_release'::regclass`
  assert.match((await run([])).out, /^release +text +APP +no$/m)
  assert.equal((await run(['add', 'release', '--type', 'text', '--project', 'APP', '--index'])).error, undefined)
  assert.match((await run([])).out, /^release +text +APP +yes$/m)
  await run(['remove', 'release', '--project', 'WEB'])
  assert.deepEqual(await indexes(), ['tasks_by_field_release'])
  await run(['remove', 'release', '--project', 'APP'])
  assert.deepEqual(await indexes(), [])
})

// prettier-ignore
const mistakes: [args: string[], error: RegExp][] = [
  [['add'],                                                   /^missing NAME\n/],
  [['add', 'points'],                                         /^missing --type\n/],
  [['add', 'Story Points', '--type', 'number'],               /^NAME must be a letter in lower case, then letters and digits, up to 48, not "Story Points"$/],
  [['add', 'points', '--type', 'integer'],                    /^--type must be one of text, number, boolean, date, list, not "integer"$/],
  [['add', 'points', '--type', 'number', '--project', 'NO'],  /^no project has the key NO:/],
  [['add', 'labels', '--type', 'list', '--index'],            /^--index is for a field with one value/],
  [['add', 'storyPoints', '--type', 'text'],                  /^storyPoints is already declared with another type:/],
  [['add', 'a', 'b', '--type', 'text'],                       /^unexpected argument "b"/],
  [['rename', 'a', 'b'],                                      /^unknown command "fields rename"/],
]

for (const [args, error] of mistakes)
  test(`fields ${args.join(' ')} is refused`, async () => {
    const result = await run(args)
    assert.match(result.error ?? '', error)
    assert.equal(result.errorName, 'UsageError')
  })

test('a field of one project can be declared for another with another type', async () => {
  assert.equal((await run(['add', 'size', '--type', 'number', '--project', 'WEB'])).error, undefined)
  assert.equal((await run(['add', 'size', '--type', 'text', '--project', 'APP'])).error, undefined)
  assert.match((await run(['add', 'size', '--type', 'text'])).error ?? '', /already declared with another type/)
  assert.deepEqual([...(await sql`select project_id from workgate.fields where name = 'size' order by 1`)].map(({ project_id: id }) => id as string), [web, app].toSorted()) // prettier-ignore
})
