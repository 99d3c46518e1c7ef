// Checks rules about test files that the compiler does not check.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'

const paths = (await readdir('test', { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
const files = await Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })))
const breaking = (breaks: (file: { path: string; text: string }) => boolean) =>
  files.filter(breaks).map(({ path }) => path)

test('no two files have the same name', () => {
  // Go prescribes the names of these two.
  const free = paths.filter((path) => !/\/go\.(mod|sum)$/.test(path))
  const names = free.map((path) => basename(path))
  assert.deepEqual(
    free.filter((path) => names.indexOf(basename(path)) !== names.lastIndexOf(basename(path))),
    [],
  )
})

test('a file is named *.test.ts if and only if it registers tests', () => {
  const imported = /^import \{([^}]*)\} from 'node:test'/m
  const registers = (text: string) => /\b(test|describe|it|suite)\b/.test(imported.exec(text)?.[1] ?? '')
  assert.deepEqual(
    breaking(({ path, text }) => registers(text) !== path.endsWith('.test.ts')),
    [],
  )
})

// node:test runs such a hook immediately and does not wait for it.
test('a file with contractSuite has no file-level before()', () => {
  assert.deepEqual(
    breaking(({ text }) => /^const .* = await contractSuite\(/m.test(text) && /^before\(/m.test(text)),
    [],
  )
})
