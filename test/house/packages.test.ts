// Checks which packages npm installs, and how the build fetches the packages that are not installed.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import rendererPackage from '../../src/docs/renderer-package.json' with { type: 'json' }

const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
  packages: Record<string, { resolved?: string }>
}

// Its dependencies are 240 MB, and its browser build contains the parts that it needs.
test('the renderer is not installed', () => {
  const scope = rendererPackage.name.split('/')[0]!
  assert.deepEqual(
    Object.keys(packages).filter((path) => path.includes(`node_modules/${scope}/`)),
    [],
  )
})

test('the lock file names no host', () => {
  assert.deepEqual(
    Object.values(packages).filter(({ resolved }) => resolved?.includes(':')),
    [],
  )
})

const pinned = { name: '@workgate/example', version: '1.2.3', integrity: integrityOf('as published') }
const archive = 'workgate-example-1.2.3.tgz'

test('the error for a package that cannot be fetched names the package and the registry', async () => {
  await inProject('exit 1', async ({ list }) => {
    assert.match(list(), /cannot fetch @workgate\/example@1\.2\.3 from the npm registry, which must be reachable/)
  })
})

test('a package that differs from its pinned integrity is rejected and not cached', async () => {
  await inProject(`printf 'something else' >"$5/${archive}"`, async ({ list, cached }) => {
    assert.match(list(), /@workgate\/example@1\.2\.3 from the npm registry has the integrity sha512-.+, not the pinned/)
    assert.deepEqual(await cached(), [])
  })
})

test('a damaged archive in the cache is fetched again', async () => {
  await inProject(`printf 'as published' >"$5/${archive}"`, async ({ list, cached, folder }) => {
    const path = join(folder, 'node_modules', '.cache', 'workgate', archive)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, 'as publ')
    list()
    assert.equal(await readFile(path, 'utf8'), 'as published')
    assert.deepEqual(await cached(), [archive])
  })
})

interface Project {
  folder: string
  /** Lists the files of the pinned package with src/build/packages.mjs; returns what it prints to stderr. */
  list(): string
  cached(): Promise<string[]>
}

/** Runs in an empty folder, with the shell script in place of npm. */
async function inProject(npm: string, run: (project: Project) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'workgate-packages-'))
  const cache = join(folder, 'node_modules', '.cache', 'workgate')
  const packagesModule = pathToFileURL(resolve('src/build/packages.mjs')).href
  const script = `const { listPackage } = await import('${packagesModule}'); listPackage(${JSON.stringify(pinned)})`
  try {
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'bin', 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 })
    await run({
      folder,
      list: () =>
        spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
          cwd: folder,
          env: { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}` },
          encoding: 'utf8',
        }).stderr,
      cached: async () => (existsSync(cache) ? await readdir(cache) : []),
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function integrityOf(content: string): string {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`
}
