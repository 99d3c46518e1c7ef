// The files that workgate backup and workgate export write, in a folder in which others can create files and links.

import assert from 'node:assert/strict'
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { backup } from '../../src/commands/backup/backup.ts'
import { exportFile } from '../../src/commands/export.ts'
import { writeOutputFile } from '../../src/commands/output-file.ts'
import { readConfig } from '../../src/config/config.ts'
import { insertData } from '../support/data.ts'
import { commandContext } from '../support/doctor.ts'
import { suiteDatabase } from '../support/suite-database.ts'

const { url } = await suiteDatabase(insertData)
const folder = await mkdtemp(join(tmpdir(), 'workgate-output-'))
after(() => rm(folder, { recursive: true }))
const other = join(folder, 'other')
// Everything that the mode of a file leaves out is the command's own decision.
process.umask(0)

let cases = 0
/** The path of a file in a folder of its own. */
async function newPath(): Promise<string> {
  const own = join(folder, `${++cases}`)
  await mkdir(own)
  return join(own, 'file')
}

async function* chunksOf(text: string, meanwhile = async () => {}) {
  yield Buffer.from(text)
  await meanwhile()
}
const toFile = (text: string) => (path: string) => writeOutputFile(path, chunksOf(text))
const command = (run: typeof backup) => (path: string) =>
  run({ ...commandContext(readConfig({ DATABASE_URL: url }, () => '')), args: [path] })

const writers = { backup: command(backup), export: command(exportFile) }

// prettier-ignore
const existing: [claim: string, prepare: (path: string) => Promise<unknown>][] = [
  ['in an empty folder',                          async () => {}],
  ['over an earlier one that others can read',    (path) => writeFile(path, 'earlier', { mode: 0o666 })],
  ['after an interrupted one',                    (path) => writeFile(`${path}.part`, 'interrupted', { mode: 0o666 })],
  ['where FILE.part is a link to another file',   (path) => symlink(other, `${path}.part`)],
  ['where FILE.part is a link to no file',        (path) => symlink(join(folder, 'none'), `${path}.part`)],
]

for (const [name, write] of Object.entries(writers)) {
  describe(`${name} writes a file that only its owner can read, and no other file:`, () => {
    for (const [claim, prepare] of existing) {
      test(claim, async () => {
        const path = await newPath()
        await writeFile(other, 'other')
        await prepare(path)
        await write(path)
        const stats = await lstat(path)
        assert.ok(stats.isFile() && stats.size > 1_000)
        assert.equal(stats.mode & 0o777, 0o600)
        assert.deepEqual(await readdir(join(path, '..')), ['file'])
        assert.equal(await readFile(other, 'utf8'), 'other')
        await assert.rejects(lstat(join(folder, 'none')), { code: 'ENOENT' })
      })
    }

    test('a link is refused', async () => {
      const path = await newPath()
      await writeFile(other, 'other')
      await symlink(other, path)
      await assert.rejects(write(path), {
        message: `cannot write ${path}: it is a link; name the file that it points at`,
      })
      assert.equal(await readlink(path), other)
      assert.equal(await readFile(other, 'utf8'), 'other')
    })
  })
}

test('a folder is refused', async () => {
  await assert.rejects(toFile('text')(folder), { message: `cannot write ${folder}: it is not a regular file` })
})

test('a command that fails keeps the earlier file, and leaves no other', async () => {
  const path = await newPath()
  await toFile('earlier')(path)
  const write = writeOutputFile(
    path,
    chunksOf('part', () => Promise.reject(new Error('failed'))),
  )
  await assert.rejects(write, { message: 'failed' })
  assert.deepEqual(await readdir(join(path, '..')), ['file'])
  assert.equal(await readFile(path, 'utf8'), 'earlier')
})

test('of two commands that write a file at once, the later one writes it', async () => {
  const path = await newPath()
  const first = writeOutputFile(
    path,
    chunksOf('first', () => toFile('second')(path)),
  )
  await assert.rejects(first, { message: `cannot write ${path}: another command has replaced ${path}.part` })
  assert.deepEqual(await readdir(join(path, '..')), ['file'])
  assert.equal(await readFile(path, 'utf8'), 'second')
})
