// npm test [-- [--postgres FOLDER] [--artifact] [--thorough] [--alone] [FILE…]]
// Starts one database server for all test files, runs them, and looks for keys in whatever was printed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { openDatabase } from '../../src/db/database.ts'
import { serveEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import type { Run } from './environment.ts'
import { quiet } from './log.ts'
import { startServer } from './server.ts'

const { values, positionals } = parseArgs({
  options: {
    postgres: { type: 'string' },
    artifact: { type: 'boolean' },
    thorough: { type: 'boolean' },
    // One file after the other, each for as long as it takes.
    alone: { type: 'boolean' },
  },
  allowPositionals: true,
})

const soakMs = Number(process.env['SOAK_MINUTES'] ?? 0) * 60_000

const scratch = await mkdtemp(join(tmpdir(), 'workgate-test-'))
const logs = await mkdtemp(join(tmpdir(), 'workgate-test-logs-'))
const built = join('dist', `test-${process.pid}`)
const server = values.postgres ? await startServer(values.postgres) : await startEmbedded()
let failed = true
try {
  await makeTemplate(server.url)
  await buildArtifact()
  const files = await buildTests(positionals.length > 0 ? positionals : await testFiles())
  const run: Run = {
    server: server.url('postgres'),
    target: values.artifact ? 'artifact' : 'process',
    thorough: values.thorough ?? false,
    logs,
    ...(values.postgres && { postgresBin: values.postgres }),
  }
  failed = !(await runTests(files, run))
  failed = !(await noKeyWasPrinted()) || failed
} finally {
  await server.remove()
  await rm(scratch, { recursive: true, force: true })
  await rm(logs, { recursive: true, force: true })
  await rm(built, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

async function startEmbedded() {
  const dataDir = scratch
  const embedded = await serveEmbedded({
    dataDir,
    memoryMb: 256,
    binaryRoots: [process.cwd()],
    path: process.env['PATH'] ?? '',
    log: quiet,
  })
  return {
    url: (database: string) => `postgres://workgate@localhost/${database}?host=${dataDir}`,
    remove: () => embedded.stop(),
  }
}

async function makeTemplate(url: (database: string) => string) {
  const first = openDatabase({ target: { url: url('postgres') }, poolSize: 1, statementTimeoutMs: 10_000 })
  // The schema has the name of the role and would be found without being named; of another role's it would not.
  await first.session((session) => session.script(`alter role workgate set search_path = ''`))
  await first.session((session) => session.script('create database template_workgate'))
  // Nothing here has to outlive the machine.
  await first.session((session) => session.script('alter system set fsync = off'))
  await first.session((session) => session.script('select pg_reload_conf()'))
  await first.close()
  const template = openDatabase({ target: { url: url('template_workgate') }, poolSize: 1, statementTimeoutMs: 10_000 })
  await migrate(template, migrations, quiet)
  await template.close()
}

async function buildArtifact() {
  const child = spawn(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the build failed')
}

async function testFiles(): Promise<string[]> {
  const folders = (await readdir('test', { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const files = await Promise.all(
    folders.map(async ({ name }) => (await readdir(join('test', name))).map((file) => join('test', name, file))),
  )
  return files
    .flat()
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
}

/** All at once, because to compile for each file what it imports takes longer than most files take. */
async function buildTests(files: string[]): Promise<string[]> {
  await build({
    entryPoints: files,
    outdir: built,
    outbase: '.',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    loader: { '.sql': 'text' },
    sourcemap: true,
    sourcesContent: false,
  })
  return files.map((file) => join(built, file.replace(/ts$/, 'js')))
}

async function runTests(files: string[], run: Run): Promise<boolean> {
  const args = [
    '--enable-source-maps',
    '--test',
    `--test-concurrency=${values.alone ? 1 : 5}`,
    `--test-timeout=${values.alone || process.env['FRESHNESS'] === 'long' ? 600_000 + soakMs : 150_000}`,
    '--test-reporter=spec',
  ]
  const child = spawn(process.execPath, [...args, ...files], {
    env: { ...process.env, WORKGATE_TEST: JSON.stringify(run) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      process.stdout.write(bytes)
      appendFileSync(join(logs, 'output.log'), bytes)
    })
  }
  const [code] = await once(child, 'close')
  return code === 0
}

/** Every key that was given out, in everything that services, commands and the tests themselves have printed. */
async function noKeyWasPrinted(): Promise<boolean> {
  const read = (name: string) => readFile(join(logs, name), 'utf8').catch(() => '')
  const secrets = [...new Set((await read('secrets.txt')).split('\n').filter(Boolean))]
  const output = await read('output.log')
  const printed = secrets.filter((secret) => output.includes(secret))
  console.log(`searched ${output.length} characters of output for ${secrets.length} keys: ${printed.length} found`)
  return printed.length === 0
}
