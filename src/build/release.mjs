// Builds all files of a release in dist/release: `npm run release`. The guide "Releases" describes them. Builds the
// executable of this platform, or those of `--target linux-x64 --target linux-arm64`.

import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { artifact, hashInputs, isBuiltFrom } from './artifact.mjs'
import { writeChecksums } from './checksums.mjs'
import { readCommit } from './commit.mjs'
import { buildImage, findEngine } from './container-image.mjs'
import { createSbom } from './sbom.mjs'
import { shared } from './shared.mjs'
import { executablePath, hostTarget, programEnding, targets } from './targets.mjs'

const options = { target: { type: 'string', multiple: true, default: [hostTarget] } }
const chosen = parseArgs({ options }).values.target
const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
const folder = join('dist', 'release')
const at = (ending) => join(folder, `workgate-${version}${ending}`)
const output = (program, ...args) => execFileSync(program, args, { encoding: 'utf8' }).trimEnd()

const refusal = findRefusal()
if (refusal) {
  console.error(refusal)
  process.exit(1)
}
const commit = readCommit()
const changes = readChanges()

fs.rmSync(folder, { recursive: true, force: true })
fs.mkdirSync(folder, { recursive: true })
for (const target of chosen) writeExecutable(target)
if (!isBuiltFrom(hashInputs())) await import('../../build.mjs')
fs.copyFileSync(artifact, at('.mjs'))
fs.writeFileSync(at('-changes.md'), changes)
fs.writeFileSync(at('-openapi.json'), `${JSON.stringify(await readOpenApi(), null, 2)}\n`)
const missing = writeImage()
writeChecksums(folder, fs.readdirSync(folder))

console.log(`\nWorkgate ${version} (commit ${commit}) in ${folder}:`)
for (const name of fs.readdirSync(folder).sort())
  console.log(`${fs.statSync(join(folder, name)).size.toLocaleString('en').padStart(13)}  ${name}`)
if (missing) console.log(missing)

function findRefusal() {
  const unknown = chosen.find((target) => !targets[target])
  if (unknown) return `--target ${unknown} is not one of ${Object.keys(targets).join(', ')}.`
  if (!fs.existsSync('.git')) return 'A release is built in a clone of the repository, which this folder is not.'
  const changed = output('git', 'status', '--porcelain')
  return changed && `A release is built from a commit. Commit or undo these changes first:\n${changed}`
}

/** Returns the section of this version. */
function readChanges() {
  const guide = 'src/docs/guides/releases.md'
  const sections = fs.readFileSync(guide, 'utf8').split(/^(?=##+ )/m)
  const section = sections.find((text) => text.startsWith(`### ${version}\n`))
  if (!section) throw new Error(`${guide} has no section "### ${version}", the version in package.json`)
  return `# Workgate ${version}${section.slice(section.indexOf('\n')).trimEnd()}\n`
}

function writeExecutable(target) {
  const path = executablePath(target)
  if (target !== hostTarget || !isCurrent(path))
    execFileSync(process.execPath, ['src/build/executable.mjs', '--target', target], { stdio: 'inherit' })
  fs.copyFileSync(path, at(`-${target}${programEnding(target)}`))
  const time = new Date(output('git', 'show', '--no-patch', '--format=%cI', 'HEAD')).toISOString()
  const sbom = createSbom(target, { hash: output('git', 'rev-parse', 'HEAD'), time })
  fs.writeFileSync(at(`-${target}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`)
}

/** Nothing differs from the commit, so an executable of the commit need not be built again. */
function isCurrent(path) {
  return spawnSync(path, ['version'], { encoding: 'utf8' }).stdout === `${version} (commit ${commit})\n`
}

async function readOpenApi() {
  const { outputFiles } = await build({
    ...shared,
    stdin: { contents: `export { openApi } from './src/docs/openapi.ts'`, resolveDir: '.' },
    write: false,
    logLevel: 'warning',
  })
  const code = Buffer.from(outputFiles[0].contents).toString('base64')
  const { openApi } = await import(`data:text/javascript;base64,${code}`)
  return openApi()
}

/** Returns a sentence if there is no image. */
function writeImage() {
  const engine = findEngine()
  if (!engine) return 'There is no container image, because neither docker, podman nor buildah works here.'
  const file = at(`-linux-${process.arch}-image.tar`)
  try {
    buildImage(engine, { image: `workgate:${version}`, commit, file })
    return undefined
  } catch (error) {
    process.exitCode = 1
    fs.rmSync(file, { force: true })
    return `There is no container image: ${error.message}`
  }
}
