// npm start installs and builds only if something has changed. Runs src/build/prepare.mjs in a copy of the repository.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, test } from 'node:test'

const folder = await mkdtemp(join(tmpdir(), 'workgate-prepare-'))
after(() => rm(folder, { recursive: true }))
const at = (path: string) => join(folder, path)
for (const path of ['src', 'sql', 'build.mjs', 'package.json', 'package-lock.json'])
  await cp(path, at(path), { recursive: true })
await mkdir(at('node_modules'))
for (const name of await readdir('node_modules'))
  await symlink(resolve('node_modules', name), at(`node_modules/${name}`))
// Replaces npm by a program that only records how it was called, and fails.
await mkdir(at('programs'))
const calls = at('calls.txt')
await writeFile(at('programs/npm'), `#!/bin/sh\necho "$*" >>${calls}\nexit 1\n`)
await chmod(at('programs/npm'), 0o755)

function node(...args: string[]) {
  const env = { PATH: `${at('programs')}:${process.env['PATH']}` }
  return new Promise<{ code: number | string; out: string; err: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, out, err) =>
      resolve({ code: error?.signal ?? error?.code ?? 0, out, err }),
    )
  })
}
const prepare = (...options: string[]) => node(...options, 'src/build/prepare.mjs')
const built = 'Building dist/workgate.mjs\n'

async function isUpToDate(): Promise<boolean> {
  const code = `import { hashInputs, isBuiltFrom } from './src/build/artifact.mjs'; console.log(isBuiltFrom(hashInputs()))`
  const { out } = await node('--input-type=module', '--eval', code)
  assert.match(out, /^(true|false)\n$/)
  return out === 'true\n'
}

const artifactText = () => readFile(at('dist/workgate.mjs'), 'utf8')

test('the first start builds the artifact, and the second one does not', async () => {
  assert.deepEqual(await prepare(), { code: 0, out: '', err: built })
  assert.match((await node('dist/workgate.mjs', '--version')).out, /^\d+\.\d+\.\d+\n$/)
  const { ino } = await stat(at('dist/workgate.mjs'))
  assert.deepEqual(await prepare(), { code: 0, out: '', err: '' })
  assert.equal((await stat(at('dist/workgate.mjs'))).ino, ino)
})

describe('the artifact is out of date after', { concurrency: false }, () => {
  const append = (path: string, text: string) => async () => {
    const earlier = await readFile(at(path))
    await writeFile(at(path), earlier + text)
    return () => writeFile(at(path), earlier)
  }
  // prettier-ignore
  const changes: [change: string, make: () => Promise<() => Promise<unknown>>][] = [
    ['a change of code',              append('src/routes.ts', '\n')],
    ['a change of a statement',       append('sql/keys/list-keys.sql', '\n')],
    ['a change of a guide',           append('src/docs/guides/quick-start.md', '\n')],
    ['a change of the build',         append('build.mjs', '\n')],
    ['a change of the version',       append('package.json', '\n')],
    ['a change of a package',         append('package-lock.json', '\n')],
    ['the end of the artifact is lost', append('dist/workgate.mjs', ' ')],
    ['a file is added', async () => {
      await writeFile(at('src/added.ts'), '')
      return () => rm(at('src/added.ts'))
    }],
    ['a file is renamed', async () => {
      await rename(at('sql/keys/list-keys.sql'), at('sql/keys/list.sql'))
      return () => rename(at('sql/keys/list.sql'), at('sql/keys/list-keys.sql'))
    }],
    ['the artifact is deleted', async () => {
      await rename(at('dist/workgate.mjs'), at('dist/kept'))
      return () => rename(at('dist/kept'), at('dist/workgate.mjs'))
    }],
  ]
  for (const [change, make] of changes) {
    test(change, async () => {
      const undo = await make()
      assert.equal(await isUpToDate(), false)
      await undo()
      assert.equal(await isUpToDate(), true)
    })
  }
})

test('a build that is killed leaves the earlier artifact, and the next start builds', async () => {
  const earlier = await artifactText()
  const guide = 'src/docs/guides/quick-start.md'
  await writeFile(at(guide), (await readFile(at(guide), 'utf8')) + '\nA sentence of this test.\n')
  const kill = `import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    fs.renameSync = () => process.kill(process.pid, 'SIGKILL')
    syncBuiltinESMExports()`
  const killed = await prepare('--import', `data:text/javascript,${encodeURIComponent(kill)}`)
  assert.deepEqual(killed, { code: 'SIGKILL', out: '', err: built })
  assert.equal(await artifactText(), earlier)
  assert.equal((await prepare()).err, built)
  assert.match(await artifactText(), /A sentence of this test/)
  assert.equal((await prepare()).err, '')
})

describe('packages', { concurrency: false }, () => {
  const record = 'node_modules/.package-lock.json'
  const called = () => readFile(calls, 'utf8').catch(() => '')

  async function changeRecord(change: (packages: Record<string, { dev?: boolean; integrity?: string }>) => void) {
    const lock = JSON.parse(await readFile(record, 'utf8'))
    change(lock.packages)
    await rm(at(record), { force: true })
    await writeFile(at(record), JSON.stringify(lock))
  }

  test('that only the tests need are not installed by a start', async () => {
    await changeRecord((packages) => {
      for (const [path, { dev }] of Object.entries(packages)) if (dev) delete packages[path]
    })
    await rm(at('node_modules/prettier'))
    assert.equal((await prepare()).code, 0)
    assert.equal(await called(), '')
  })

  // prettier-ignore
  const missing: [claim: string, make: () => Promise<unknown>][] = [
    ['of another version are installed', () => changeRecord((packages) => (packages['node_modules/marked']!.integrity = 'another'))],
    ['that are not recorded are installed', () => changeRecord((packages) => delete packages['node_modules/marked'])],
    ['of an installation that npm did not finish are installed again', () => rm(at(record))],
    ['that were deleted are installed', () => changeRecord(() => {}).then(() => rm(at('node_modules/marked')))],
  ]
  for (const [claim, make] of missing) {
    test(claim, async () => {
      await make()
      const before = await called()
      assert.equal((await prepare()).code, 1)
      assert.equal(await called(), `${before}ls --omit=dev\nci --omit=dev --loglevel=error\n`)
    })
  }
})
