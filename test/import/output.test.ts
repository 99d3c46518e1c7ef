// What workgate import prints at its end.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { suiteDatabase } from '../support/suite-database.ts'
import { issueKey } from '../support/workgate.ts'
import { createImporter } from './importing.ts'

const { url, sql } = await suiteDatabase()
const { importText } = await createImporter(url)
const rows = (...lines: string[]) => ['number,title,dueDate', ...lines].join('\n')

describe('the output', { concurrency: false }, () => {
  test('says how to create a key only if there is none', async () => {
    const run = async () => (await importText('tasks.csv', rows('1,One,'), '--project', 'WEB')).output
    assert.match(
      await run(),
      /\nCreate a key: workgate keys create NAME --all-projects\nSee the project: http[^\n]+\/WEB$/,
    )
    await issueKey(sql, 'first')
    const output = await run()
    assert.doesNotMatch(output, /Create a key/)
    assert.match(output, /\nSee the project: http[^\n]+\/WEB$/)
  })

  test('with --quiet is empty, unless rows were skipped', async () => {
    const run = (text: string, ...args: string[]) =>
      importText('tasks.csv', text, '--project', 'WEB', '--quiet', ...args)
    assert.deepEqual(await run(rows('1,One,', '2,Two,')), { output: '', error: undefined, counts: {} })
    assert.equal((await sql`select from workgate.tasks`).length, 2)
    const refused = await run(rows('3,Three,never'))
    assert.equal(refused.output, '')
    assert.match(refused.error!, /a row cannot be imported, so nothing was written/)
    const skipped = await run(rows('3,Three,never', '4,Four,'), '--skip-invalid')
    assert.match(skipped.output, /line 2, dueDate "never": must be a date/)
    assert.equal(skipped.error, 'a row of tasks.csv was skipped')
  })
})
