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

// When no registered test is left, node:test runs the after() hooks of the file, even if the file has not registered all
// of its tests yet: the services of later tests would be closed.
test('a file waits for nothing after it has registered a test', () => {
  const registers = /^(?:test|describe)\(|^for [^]*\n {2,4}(?:test|describe)\(/
  const waits = /^(?:const [^=]+ = )?await |^for await |^for [^]*\n {2}(?:const [^=]+ = )?await /
  const waitsTooLate = (text: string) => {
    const statements = text.split(/^(?=[^\s)\]}])/m)
    const first = statements.findIndex((statement) => registers.test(statement))
    return first !== -1 && statements.slice(first).some((statement) => waits.test(statement))
  }
  assert.deepEqual(
    breaking(({ text }) => waitsTooLate(text)),
    [],
  )
})
