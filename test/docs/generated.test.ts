// The generated parts of the guides are up to date.

import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { suiteDatabase } from '../support/suite-database.ts'
import { generators, withGeneratedParts } from './generated.ts'

const folder = 'src/docs/guides'
const writing = process.env['REFRESH'] !== undefined
const remedy = 'out of date: npm run refresh'
const { sql } = await suiteDatabase()
const marker = '<!-- generated: '
const files = (await readdir(folder)).map((name) => join(folder, name))
const guides = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)))

for (const [file, text] of guides) {
  if (!text.includes(marker)) continue
  test(`${file} is up to date`, async () => {
    const { format, resolveConfig } = await import('prettier')
    const expected = await format(await withGeneratedParts(text, sql), {
      ...(await resolveConfig(file)),
      filepath: file,
    })
    if (writing) await writeFile(file, expected)
    else assert.equal(text, expected, remedy)
  })
}

test('every generated part is in exactly one guide', () => {
  const used = [...guides.values()].flatMap((text) =>
    [...text.matchAll(/<!-- generated: (.+?) -->/g)].map(([, name]) => name!),
  )
  assert.deepEqual(used.sort(), Object.keys(generators).sort())
})
