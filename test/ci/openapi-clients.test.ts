// The OpenAPI document in other tools: a linter, and clients from two generators, used against a running service with
// demo data: npm test -- --alone test/ci/openapi-clients.test.ts

import assert from 'node:assert/strict'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const npmPackages = ['@redocly/cli@2.77.0', 'openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3']
const pipPackages = ['openapi-python-client==0.29.1', 'mypy==2.4.1']
const here = process.cwd()

let folder: string
let service: ChildProcess
let origin: string
let key: string

const at = (...names: string[]) => join(folder, ...names)
const inFolder = (program: string, ...args: string[]) =>
  run(program, args, {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
  })
const workgate = async (...args: string[]) =>
  (await run('node', [join(here, 'dist/workgate.mjs'), ...args], { env: environment() })).stdout
const environment = () => ({ PATH: process.env['PATH'], DATA_DIR: at('data'), PORT: '0' })

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workgate-openapi-'))
  await chmod(folder, 0o755)
  await run('node', ['build.mjs'])
  service = spawn('node', ['dist/workgate.mjs', 'serve'], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
  origin = await new Promise((resolve, reject) => {
    service.stdout!.on('data', (bytes: Buffer) => resolveUrl(String(bytes), resolve))
    service.once('exit', () => reject(new Error('the service exited')))
  })
  await workgate('demo', '--until', '2026-11-21', '--tasks', '300', '--projects', '3')
  key = (await workgate('keys', 'create', 'clients', '--all-projects')).trim()
  const document = await fetch(`${origin}/openapi.json`)
  assert.equal(document.status, 200)
  await writeFile(at('openapi.json'), await document.text())
  await inFolder(
    'npm',
    'install',
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--silent',
    ...npmPackages,
  )
})

after(async () => {
  if (service.exitCode === null) {
    service.kill('SIGTERM')
    await once(service, 'exit')
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

function resolveUrl(text: string, resolve: (url: string) => void) {
  for (const line of text.split('\n')) if (line.includes('"listening"')) resolve(JSON.parse(line).url)
}

test('the linter reports no problems', async () => {
  await cp('test/ci/clients/redocly.yaml', at('redocly.yaml'))
  const { stdout } = await inFolder('npx', 'redocly', 'lint', '--format=json', 'openapi.json')
  const { totals, problems } = JSON.parse(stdout)
  assert.deepEqual([totals.errors, totals.warnings, problems], [0, 0, []])
})

test('a TypeScript client compiles, walks pages, creates and completes a task, and parses problems', async () => {
  await inFolder('npx', 'openapi-typescript', 'openapi.json', '--default-non-nullable', 'false', '-o', 'schema.d.ts')
  await cp('test/ci/clients/client.ts', at('client.ts'))
  await writeFile(at('package.json'), '{"type": "module"}')
  const options = [
    '--strict',
    '--noUncheckedIndexedAccess',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2023',
    '--module',
    'nodenext',
  ]
  await inFolder('npx', 'tsc', ...options, 'client.ts')

  const { clientFor, firstProject, walk, create, complete, missing } = await import(at('client.js'))
  const client = clientFor(origin, key)
  const projectId = await firstProject(client)
  const ids = (tasks: { id: string }[]) => tasks.map(({ id }) => id)
  const small = await walk(client, projectId, 3)
  assert.ok(small.length > 6)
  assert.deepEqual(ids(small), ids(await walk(client, projectId, 200)))
  assert.deepEqual([...new Set(small.map(({ state }: { state: string }) => state))].sort(), ['cancelled', 'open'])

  const { task, etag, replayed } = await create(client, projectId, 'Made in TypeScript')
  assert.deepEqual([task.state, task.priority, replayed], ['open', 'high', null])
  const again = await create(client, projectId, 'Made in TypeScript')
  assert.deepEqual([again.task.id, again.replayed], [task.id, 'true'])
  const completed = await complete(client, task, etag)
  assert.deepEqual([completed.state, completed.version], ['completed', 2])
  assert.equal(await complete(client, task, '"another"'), 'PRECONDITION_FAILED')
  assert.deepEqual(await missing(client), { status: 404, code: 'NOT_FOUND', names: [] })
})

test('a Python client passes mypy, walks pages, creates and completes a task, and parses problems', async () => {
  await inFolder('python3', '-m', 'venv', 'venv')
  const bin = (name: string) => at('venv', 'bin', name)
  await inFolder(bin('pip'), 'install', '-q', ...pipPackages)
  await writeFile(at('python.yaml'), 'post_hooks: []\n')
  const made = await inFolder(
    bin('openapi-python-client'),
    'generate',
    '--path',
    'openapi.json',
    '--config',
    'python.yaml',
    '--meta',
    'none',
    '--output-path',
    'workgate_client',
  )
  assert.doesNotMatch(made.stdout + made.stderr, /warning/i, made.stdout)
  await cp('test/ci/clients/client.py', at('client.py'))
  await inFolder(bin('mypy'), 'client.py')

  const { stdout } = await run(bin('python'), ['client.py', origin], { cwd: folder, env: { WORKGATE_KEY: key } })
  const { small, large, created, again, replayed, completed, stale, problem } = JSON.parse(stdout)
  assert.ok(small.length > 14)
  assert.deepEqual(small, large)
  assert.deepEqual([created.state, created.priority], ['open', 'high'])
  assert.deepEqual([again, replayed], [created.id, 'true'])
  assert.deepEqual([completed.id, completed.state, completed.version], [created.id, 'completed', 2])
  assert.equal(stale, 'PRECONDITION_FAILED')
  assert.deepEqual(problem, [404, 'NOT_FOUND'])
})
