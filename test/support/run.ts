// npm test [-- [--postgres FOLDER [--pgbouncer | --citus]] [--least] [--artifact | --program 'COMMAND…' [--own]] [--thorough] [--alone] [--disk] [FILE…]]
// Starts one database server for all test files, runs them, and searches their output for keys. Without FILE, it runs
// every file outside test/ci.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { shared } from '../../src/build/shared.mjs'
import { openDatabase } from '../../src/db/database.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { compileResponseSchemas } from './compile-validators.ts'
import type { Run } from './environment.ts'
import { quiet } from './log.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { makeOwnTemplate } from './own-database.ts'
import { startPooler } from './pooler.ts'
import { makeDistributedTemplate, startCitus } from './citus.ts'
import { startServer } from './server.ts'
import grantsSql from '../../sql/roles/workgate-api.sql'

const { values, positionals } = parseArgs({
  options: {
    postgres: { type: 'string' },
    pgbouncer: { type: 'boolean' },
    // Every database is distributed over a coordinator and two workers.
    citus: { type: 'boolean' },
    least: { type: 'boolean' },
    artifact: { type: 'boolean' },
    program: { type: 'string' },
    // Each service runs its own embedded database.
    own: { type: 'boolean' },
    thorough: { type: 'boolean' },
    // Runs one file after the other.
    alone: { type: 'boolean' },
    // Keeps all files out of /dev/shm: Deno refuses paths below /dev.
    disk: { type: 'boolean' },
  },
  allowPositionals: true,
})

if (values.pgbouncer && !values.postgres)
  throw new Error('--pgbouncer needs a server that listens on TCP: use --postgres FOLDER')
/** A soak test and all broken variants take longer than other files. */
const extraMs =
  Number(process.env['SOAK_MINUTES'] ?? 0) * 60_000 + (process.env['FRESHNESS'] === 'long' ? 1_800_000 : 0)

if (values.own && (values.postgres || !(values.artifact || values.program)))
  throw new Error('--own needs --artifact or --program, and cannot be combined with --postgres')

const memory = values.disk ? undefined : await makeMemoryFolder()
if (memory) process.env['TMPDIR'] = memory

const scratch = await mkdtemp(join(tmpdir(), 'workgate-test-'))
const own = await mkdtemp(join(tmpdir(), 'workgate-test-own-'))
await chmod(own, 0o755)
const logs = await mkdtemp(join(tmpdir(), 'workgate-test-logs-'))
const built = join('dist', `test-${process.pid}`)
const citus = values.citus ? await startCitus(values.postgres!) : undefined
const server = citus
  ? { url: citus.coordinator.url, remove: citus.remove }
  : values.postgres
    ? await startServer(values.postgres)
    : await startTestServer()
// Fewer connections than the service has, used in turns: session state that one transaction leaves behind is found by
// another.
const sharedPool = { default_pool_size: '3', server_round_robin: '1' }
const pooler = values.pgbouncer ? await startPooler(server.url('postgres'), sharedPool) : undefined
let failed = true
try {
  await Promise.all([
    citus ? makeDistributedTemplate(citus, values.least ?? false) : makeTemplate(server.url),
    buildArtifact(),
    mkdir(built, { recursive: true }),
  ])
  const program = words(values.program) ?? [process.execPath, resolve('dist/workgate.mjs')]
  // Only services with a database of their own, and tests of the embedded database, copy this folder.
  const copiesDataFolder = values.own || positionals.some((file) => file.startsWith(join('test', 'ci', sep)))
  const dataFolder = values.postgres || !copiesDataFolder ? undefined : join(own, 'data')
  const [files] = await Promise.all([
    buildTests(positionals.length > 0 ? positionals : await testFiles()),
    compileResponseSchemas(built),
    dataFolder && makeOwnTemplate(program, dataFolder),
  ])
  const run: Run = {
    server: server.url('postgres'),
    target: values.artifact || values.program ? 'artifact' : 'process',
    program,
    own: values.own ?? false,
    ...(dataFolder && { dataFolder }),
    thorough: values.thorough ?? false,
    built: resolve(built),
    least: values.least ?? false,
    ...(pooler && { pooler: pooler.through(server.url('postgres')) }),
    logs,
    ...(citus && { citus: citus.servers.map((one) => one.url('postgres')) }),
    ...(values.postgres && { postgresBin: values.postgres }),
  }
  failed = !(await runTests(files, run))
  failed = !(await noKeyWasPrinted()) || failed
} finally {
  await pooler?.remove()
  await server.remove()
  await rm(scratch, { recursive: true, force: true })
  await rm(own, { recursive: true, force: true })
  await rm(logs, { recursive: true, force: true })
  await rm(built, { recursive: true, force: true })
  if (memory) await rm(memory, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

/** Splits a command into words. Paths of files become absolute, so that the command works in any folder. */
function words(command: string | undefined): string[] | undefined {
  return command?.split(' ').map((word) => (existsSync(word) ? resolve(word) : word))
}

async function startTestServer() {
  const dataDir = scratch
  const embedded = await startEmbedded({
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
  // The schema is named like this role, so the default search path would find it. For other roles it would not, so
  // every statement must name the schema.
  await first.session((session) => session.script(`alter role workgate set search_path = ''`))
  const { password } = new URL(url('postgres'))
  const identified = password && `password '${password}'`
  await first.session((session) => session.script(`create role workgate_api login ${identified}`))
  await first.session((session) => session.script('create database template_workgate'))
  // The data need not survive a crash of the machine. Each database that is created or dropped causes a checkpoint,
  // after which full pages would be written to the WAL again.
  await first.session((session) => session.script('alter system set fsync = off'))
  await first.session((session) => session.script('alter system set full_page_writes = off'))
  // The databases are too short-lived to need it, and no plan that a test checks may depend on when it runs.
  await first.session((session) => session.script('alter system set autovacuum = off'))
  await first.session((session) => session.script('select pg_reload_conf()'))
  await first.close()
  const template = openDatabase({ target: { url: url('template_workgate') }, poolSize: 1, statementTimeoutMs: 10_000 })
  await migrate(template, migrations, quiet)
  if (values.least) await template.session((session) => session.script(grantsSql))
  await template.close()
}

async function buildArtifact() {
  const child = spawn(process.execPath, ['src/build/prepare.mjs'], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the build failed')
}

/** Lists every test file outside test/ci, where tests need programs that not every machine with Node has. */
async function testFiles(): Promise<string[]> {
  const files = (await readdir('test', { recursive: true })).map((file) => join('test', file))
  return files.filter((file) => file.endsWith('.test.ts') && !file.startsWith(join('test', 'ci', sep))).sort()
}

/** Builds all files together: compiling the imports of each file separately takes longer than running most files. */
async function buildTests(files: string[]): Promise<string[]> {
  await build({
    ...shared,
    entryPoints: files,
    outdir: built,
    outbase: '.',
    splitting: true,
    packages: 'external',
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
    `--test-timeout=${600_000 + extraMs}`,
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

/** Returns whether the output of services, commands and the tests themselves contains no issued key. */
async function noKeyWasPrinted(): Promise<boolean> {
  const read = (name: string) => readFile(join(logs, name), 'utf8').catch(() => '')
  const secrets = [...new Set((await read('secrets.txt')).split('\n').filter(Boolean))]
  const output = await read('output.log')
  const printed = secrets.filter((secret) => output.includes(secret))
  console.log(`searched ${output.length} characters of output for ${secrets.length} keys: ${printed.length} found`)
  for (const secret of printed) {
    const at = output.indexOf(secret)
    console.log(
      `a key was printed between ${JSON.stringify([output.slice(at - 300, at), output.slice(at + secret.length).slice(0, 300)])}`,
    )
  }
  return printed.length === 0
}
