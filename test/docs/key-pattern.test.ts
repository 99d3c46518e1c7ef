// The pattern of keys in the guide to keys recognizes every key that the service issues.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keyPrefix } from '../../src/api/access/credentials.ts'
import { temporaryFolder } from '../faults/fixtures/embedded.ts'
import { readChapter, readCodeBlocks } from '../support/code-blocks.ts'
import { recordSecret } from '../support/log.ts'
import { suiteDatabase } from '../support/suite-database.ts'

const chapter = readChapter(readFileSync('src/docs/guides/keys.md', 'utf8'), '### Scanners and redactors')
const blocks = readCodeBlocks(chapter)
const blockIn = (language: string) => blocks.find((block) => block.language === language)!.code

const { sql } = await suiteDatabase()
const keys = (await sql`select (workgate.new_key()).key from generate_series(1, 300)`).map(
  (row) => row['key'] as string,
)
for (const key of keys) recordSecret(key.slice(16, -6))

const pattern = blockIn('text')
const rule = /^regex = '''(.*)'''$/m.exec(blockIn('toml'))![1]!
const mistyped = keys.map((key, n) => {
  const at = 16 + (n % 48)
  return key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1)
})
const log = keys.map((key, n) => `GET /${n}?key=${key}&x=1 "Bearer ${key}"`).join('\n')

test('the pattern matches issued keys completely, and so does the rule for scanners', () => {
  for (const key of keys) {
    assert.match(key, new RegExp(`^${pattern}$`))
    assert.match(key, keyPrefix)
    for (const text of [key, `"${key}"`, `Bearer ${key}\n`, `k=${key}&x`])
      assert.equal(new RegExp(rule).exec(text)?.[0], key)
  }
  for (const text of [keys[0]!.slice(0, -1), `${keys[0]}0`, `x${keys[0]}`, 'wg_0123']) assert.doesNotMatch(text, new RegExp(rule)) // prettier-ignore
})

test('the redactor removes every secret and keeps the ids', () => {
  const [, script] = /sed -E '([^']+)'/.exec(blockIn('sh'))!
  const redacted = execFileSync('sed', ['-E', script!], { input: log, encoding: 'utf8' })
  const ids = [...redacted.matchAll(/wg_([0-9a-z]{12})_REDACTED/g)].map(([, id]) => id)
  assert.deepEqual(ids, keys.flatMap((key) => [key.slice(3, 15), key.slice(3, 15)])) // prettier-ignore
  for (const key of keys) assert.ok(!redacted.includes(key.slice(16, 40)))
})

test('the check tells keys from mistyped ones', async (t) => {
  const folder = await temporaryFolder(t)
  const { file, code } = blocks.find((block) => block.language === 'js')!
  writeFileSync(join(folder, file!), code)
  writeFileSync(join(folder, 'found.txt'), [...keys, ...mistyped].join('\n'))
  const output = execFileSync(process.execPath, [file!, 'found.txt'], { cwd: folder, encoding: 'utf8' })
  const idOf = (key: string) => key.slice(3, 15)
  const expected = [
    ...keys.map((key) => `${idOf(key)}: a key`),
    ...mistyped.map((key) => `${idOf(key)}: not a key, or mistyped`),
  ]
  assert.deepEqual(output.trim().split('\n'), expected)
})
