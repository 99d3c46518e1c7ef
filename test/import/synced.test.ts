// Imports into a project that has a source are refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeError } from '../../src/commands/describe-error.ts'
import { imports } from '../../src/commands/imports/imports.ts'
import { commandRunner } from '../support/run-command.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { createImporter } from './importing.ts'

const { url, sql } = await suiteDatabase()
const { importText } = await createImporter(url)
const tasks = 'number,title,dueDate\n1,One,\n2,Two,'
const refusal = 'project WEB gets its tasks only from https://git.example/ann/web'

test('An import of tasks is refused in plain words, and nothing is written', async () => {
  assert.equal((await importText('tasks.csv', tasks, '--project', 'WEB')).error, undefined)
  await sql`insert into workgate.sources (project_id, tool, address, namespace) select id, 'gitea', 'https://git.example/ann/web', 'x' from workgate.projects`
  const error = await sql`delete from workgate.tasks`.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.equal(describeError(error), `${refusal}. Change them there, or remove the source of the project first.`)
  const before = await sql`select * from workgate.tasks order by number`
  for (const text of [tasks, `${tasks}\n3,Three,`])
    for (const args of [[], ['--dry-run']]) {
      const { error } = await importText('tasks.csv', text, '--project', 'WEB', ...args)
      assert.equal(error, refusal)
    }
  const [last] = await sql`select max(id)::text as id from workgate.imports`
  const undo = await commandRunner(imports, url)(['undo', last!['id'] as string, '--yes'])
  assert.equal(undo.error, refusal)
  assert.deepEqual(await sql`select * from workgate.tasks order by number`, before)
  assert.equal((await importText('tasks.csv', tasks, '--project', 'OTHER')).error, undefined)
})
