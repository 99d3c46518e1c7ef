// Builds the single executable dist/workgate from Node, dist/workgate.mjs and PostgreSQL, with Node's support for
// single executables. `--target linux-arm64` builds dist/workgate-linux-arm64 for another platform.

import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { writeChecksums } from './checksums.mjs'
import { packPostgres } from './pack-postgres.mjs'
import { cache, unpackPackage } from './packages.mjs'
import { executablePath, hostTarget, nodePackage, postgresPackage, targets } from './targets.mjs'

const { target } = parseArgs({ options: { target: { type: 'string', default: hostTarget } } }).values
if (!targets[target]) throw new Error(`--target must be one of ${Object.keys(targets).join(', ')}`)
const isHost = target === hostTarget
const isFor = (system) => target.startsWith(system)
const output = executablePath(target)

const run = (program, args) => execFileSync(program, args, { stdio: 'pipe' })

await import('../../build.mjs')
fs.mkdirSync(cache, { recursive: true })
const scratch = fs.mkdtempSync(join(cache, 'executable-'))
try {
  const executable = copyNode()
  inject(executable, await makeBlob())
  fs.renameSync(executable, output)
} finally {
  fs.rmSync(scratch, { recursive: true, force: true })
}
writeChecksums(
  'dist',
  fs.readdirSync('dist').filter((name) => /^workgate(-[a-z0-9-]+)?(\.exe)?$/.test(name)),
)
console.log(`${output}: ${Math.round(fs.statSync(output).size / 1e6)} MB`)
if (isFor('macos') && process.platform !== 'darwin')
  console.log(`sign it on macOS before running it: codesign --force --sign - ${output}`)
if (isFor('windows')) console.log('it contains no PostgreSQL and needs DATABASE_URL')

/** Copies the Node of the target, without debug symbols. */
function copyNode() {
  const node = unpackNode(nodePackage(target))
  if (isFor('macos') && process.platform === 'darwin') run('codesign', ['--remove-signature', node])
  if (!isFor('linux')) return node
  const stripped = join(scratch, 'stripped')
  try {
    run('strip', ['-s', '-o', stripped, node])
    return stripped
  } catch {
    console.log(`strip is missing or does not support ${target}: the executable is larger than necessary`)
    return node
  }
}

/** Builds the blob of code and PostgreSQL. It must be built by the same version of Node that reads it. */
async function makeBlob() {
  const paths = Object.fromEntries(
    ['main.cjs', 'postgres.name', 'config.json', 'blob'].map((name) => [name, join(scratch, name)]),
  )
  await build({
    entryPoints: ['dist/workgate.mjs'],
    outfile: paths['main.cjs'],
    platform: 'node',
    format: 'cjs', // The only format that Node 24 supports for single executables.
    legalComments: 'eof',
    logOverride: { 'empty-import-meta': 'error' },
    logLevel: 'warning',
  })
  const postgres = postgresPackage(target)
  const packed = postgres && packPostgres(postgres)
  fs.writeFileSync(paths['postgres.name'], packed?.name ?? '')
  const config = {
    main: paths['main.cjs'],
    output: paths.blob,
    disableExperimentalSEAWarning: true,
    // The code cache is created by running the code, so it is only available for this platform.
    useCodeCache: isHost,
    assets: { 'postgres.name': paths['postgres.name'], ...(packed && { postgres: packed.path }) },
  }
  fs.writeFileSync(paths['config.json'], JSON.stringify(config))
  run(unpackNode(nodePackage(hostTarget, targets[target])), ['--experimental-sea-config', paths['config.json']])
  return paths.blob
}

function inject(executable, blob) {
  const fuse = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2']
  const segment = isFor('macos') ? ['--macho-segment-name', 'NODE_SEA'] : []
  const postject = join('node_modules', 'postject', 'dist', 'cli.js')
  fs.chmodSync(executable, 0o755)
  run(process.execPath, [postject, executable, 'NODE_SEA_BLOB', blob, ...fuse, ...segment])
  if (isFor('macos') && process.platform === 'darwin') run('codesign', ['--sign', '-', executable])
}

function unpackNode(node) {
  const file = node.name.includes('-win-') ? 'bin/node.exe' : 'bin/node'
  const folder = fs.mkdtempSync(join(scratch, 'node-'))
  unpackPackage(node, folder, [file])
  return join(folder, file)
}
