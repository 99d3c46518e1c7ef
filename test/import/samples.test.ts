// Each sample of a file of another tool is imported, and a second import changes nothing.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { createImporter } from './importing.ts'

const { workgate, sql } = await contractSuite({ key: false })
const { importText } = await createImporter(workgate.url)

for (const [n, file] of readdirSync('test/import/samples').entries()) {
  test(`${file} is imported, and a second import changes nothing`, async () => {
    const bytes = readFileSync(`test/import/samples/${file}`)
    const key = `S${n + 10}`
    const first = await importText(file, bytes, '--project', key, '--create-tasks')
    assert.equal(first.error, undefined)
    assert.deepEqual(Object.keys(first.counts['tasks']!), ['created'])
    const second = await importText(file, bytes, '--project', key, '--create-tasks')
    for (const [kind, outcomes] of Object.entries(second.counts))
      assert.deepEqual(Object.keys(outcomes), ['unchanged'], kind)
    for (const { id } of await sql`select id from workgate.projects where key = ${key}`)
      assert.deepEqual([...(await sql`select * from workgate.recount(${id as string})`)], [])
    const alone = await importText(file, bytes, '--dry-run')
    assert.match(alone.error ?? alone.output, /project: is not in the file|projects +\d/)
  })
}
