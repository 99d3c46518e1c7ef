// The OpenAPI document in other tools: a linter, and clients of every generator in the guide to clients. They are
// compiled and used against a running service with demo data: npm test -- --alone test/ci/openapi-clients.test.ts
// Most generators only run if the document has changed since CLIENTS=write recorded that they all passed, or with
// CLIENTS=all.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { api } from '../support/workgate.ts'
import { isInstalled, startDemoService } from './demo-service.ts'

const openApiGenerator = 'org.openapitools:openapi-generator-cli:7.25.0'
const mavenDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
// prettier-ignore
const npmPackages = [
  '@redocly/cli@2.77.0', 'openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', '@hey-api/openapi-ts@0.99.0', 'orval@8.38.0',
  'typescript@5.9.3', '@types/node@20.19.43',
]
const pipPackages = ['openapi-python-client==0.29.1', 'mypy==2.4.1']
const pipPackagesOfGenerator = ['urllib3==2.8.0', 'python-dateutil==2.9.0.post0', 'pydantic==2.14.3']

const { origin, key, at, run, stop } = await startDemoService()
after(stop)
const clients = join(process.cwd(), 'test/ci/clients')
for (const folder of ['typescript', 'python', 'go', 'java', 'rust', 'openapi-generator'])
  await cp(join(clients, folder), at(folder), { recursive: true })

const started = performance.now()
const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`

/** Runs a preparation that several tests need once. */
function once<Result>(prepare: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => (result ??= prepare())
}

const environment = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  CI: 'true',
  ORIGIN: origin,
  WORKGATE_KEY: key,
}
const runIn = (folder: string, program: string, ...args: string[]) =>
  run(program, args, { cwd: at(folder), env: environment })
const npx = (...args: string[]) => runIn('typescript', 'npx', '--no-install', ...args)

const installNpmPackages = once(async () => {
  await cp(at('openapi.json'), at('typescript', 'openapi.json'))
  await writeFile(at('typescript', 'package.json'), '{"type": "module"}')
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--silent']
  await runIn('typescript', 'npm', 'install', ...options, ...npmPackages)
})

const generateWithMaven = once(async () => {
  const copy = ['-q', '-B', `${mavenDependencies}:copy`, `-Dartifact=${openApiGenerator}`, '-Dmdep.stripVersion=true']
  await runIn('.', 'mvn', ...copy, `-DoutputDirectory=${at('openapi-generator')}`)
  const configurations = ['go', 'java', 'python', 'rust'].map((language) => `openapi-generator/${language}.yaml`)
  await runIn(
    '.',
    'java',
    '-jar',
    'openapi-generator/openapi-generator-cli.jar',
    'batch',
    '--fail-fast',
    ...configurations,
  )
})

interface List<Item> {
  data: Item[]
}

async function get<Body>(path: string): Promise<Body> {
  const response = await fetch(`${origin}${api}${path}`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.status, 200)
  return (await response.json()) as Body
}

// The clients of the first tests use the first and the last project.
const { data: projects } = await get<List<{ id: string }>>('/projects?sort=name')
const projectId = projects[1]!.id
const filters = 'state=completed,cancelled&priority=low,medium,high&sort=-updatedAt&limit=200'
const { data: tasks } = await get<List<{ id: string }>>(`/projects/${projectId}/tasks?${filters}`)
const expectedIds = tasks.map(({ id }) => id)
const limit = Math.ceil(expectedIds.length / 3)
const programArguments = [origin, projectId, String(limit)]

interface Generator {
  /** The rest of the title of its created task. */
  name: string
  needs: readonly string[]
  generate(): Promise<unknown>
  /** Compiles and runs the client. Returns its output. */
  use(): Promise<string>
}

/** Those that take longest are first. */
const generators: Generator[] = [
  {
    name: 'openapi-generator in Rust',
    needs: ['java', 'mvn', 'cargo'],
    generate: generateWithMaven,
    use: () => runIn('rust', 'cargo', 'run', '-q', '--', ...programArguments),
  },
  {
    name: 'ogen',
    needs: ['go'],
    async generate() {
      const options = ['--config', 'ogen.yml', '--target', 'generated/ogen', '--package', 'ogen']
      await runIn('go', 'go', 'tool', 'ogen', ...options, at('openapi.json'))
    },
    use: () => useGo('ogen'),
  },
  {
    name: 'openapi-generator in Go',
    needs: ['java', 'mvn', 'go'],
    generate: generateWithMaven,
    use: () => useGo('openapi-generator'),
  },
  {
    name: 'openapi-generator in Java',
    needs: ['java', 'javac', 'mvn'],
    generate: generateWithMaven,
    async use() {
      await runIn('java', 'mvn', '-q', '-B', `${mavenDependencies}:copy-dependencies`, '-DoutputDirectory=lib')
      const sources = await runIn('java', 'find', 'generated/src/main', '-name', '*.java')
      await writeFile(at('java', 'sources'), `${sources}Main.java\n`)
      await runIn('java', 'javac', '-proc:none', '-nowarn', '-d', 'classes', '-cp', 'lib/*', '@sources')
      return runIn('java', 'java', '-cp', 'classes:lib/*', 'Main', ...programArguments)
    },
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    async generate() {
      await mkdir(at('go/generated/oapicodegen'), { recursive: true })
      const options = ['-generate', 'types,client', '-package', 'oapicodegen', '-o', 'generated/oapicodegen/client.go']
      await runIn('go', 'go', 'tool', 'oapi-codegen', ...options, at('openapi.json'))
    },
    use: () => useGo('oapi-codegen'),
  },
  {
    name: 'openapi-generator in Python',
    needs: ['java', 'mvn', 'python3'],
    generate: generateWithMaven,
    async use() {
      await runIn('python', 'python3', '-m', 'venv', 'generator')
      await runIn('python', 'generator/bin/pip', 'install', '-q', ...pipPackagesOfGenerator)
      await runIn('python', 'generator/bin/python', '-m', 'compileall', '-q', 'workgate_client')
      return runIn('python', 'generator/bin/python', 'openapi_generator.py', ...programArguments)
    },
  },
  {
    name: '@hey-api/openapi-ts',
    needs: [],
    async generate() {
      await installNpmPackages()
      await npx('openapi-ts', '--input', 'openapi.json', '--output', 'hey-api')
    },
    use: () => useTypeScript('hey-api.ts'),
  },
  {
    name: 'orval',
    needs: [],
    async generate() {
      await installNpmPackages()
      await npx('orval', '--config', 'orval.config.mjs')
    },
    use: () => useTypeScript('orval.ts'),
  },
]

async function useTypeScript(file: string): Promise<string> {
  const options = ['--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node']
  await npx('tsc', '--noEmit', '--strict', '--noUncheckedIndexedAccess', ...options, file)
  return runIn('typescript', 'node', '--import', import.meta.resolve('tsx'), file, ...programArguments)
}

const useGo = (name: string) => runIn('go', 'go', 'run', `./${name}`, ...programArguments)

const choice = process.env['CLIENTS']
const record = join(clients, 'document.sha256')
const hash = createHash('sha256')
  .update(await readFile(at('openapi.json')))
  .digest('hex')
const isRecorded = (await readFile(record, 'utf8')).trim() === hash
if (!isRecorded && choice !== 'write')
  console.log(
    `The OpenAPI document differs from the recorded one: run CLIENTS=write npm test -- --alone test/ci/openapi-clients.test.ts`,
  )
const used = choice || !isRecorded ? generators : []
let passed = 0

const inCi = Boolean(process.env['CI'])
const absent = new Set<string>()
for (const program of new Set(generators.flatMap(({ needs }) => needs)))
  if (!(await isInstalled(program))) absent.add(program)

describe('the OpenAPI document', { concurrency: 4 }, () => {
  after(async () => {
    if (choice === 'write' && passed === generators.length) await writeFile(record, `${hash}\n`)
  })

  for (const { name, needs, generate, use } of used) {
    const missing = needs.filter((program) => absent.has(program))
    const skip = !inCi && missing.length > 0 && `SKIPPED: ${name} needs ${missing.join(', ')}`
    test(
      `${name}: the client compiles, lists with two filters over three pages, and creates a task`,
      { skip },
      async (t) => {
        await generate()
        t.diagnostic(`${name}: generated after ${seconds()}`)
        const { pages, created, problem } = JSON.parse(await use())
        t.diagnostic(`${name}: done after ${seconds()}`)
        assert.equal(pages.length, 3)
        assert.deepEqual(pages.map((page: string[]) => page.length).slice(0, 2), [limit, limit])
        assert.deepEqual(pages.flat(), expectedIds)
        const expected = { title: `Made by ${name}`, priority: 'high', dueDate: '2026-12-01', tags: ['generated'] }
        assert.deepEqual(created, { id: created.id, ...expected })
        const { data } = await get<{ data: any }>(`/projects/${projectId}/tasks/${created.id}?include=tags`)
        const tags = data.tags.map((tag: { name: string }) => tag.name)
        assert.deepEqual({ title: data.title, priority: data.priority, dueDate: data.dueDate, tags }, expected)
        assert.equal(problem, 'NOT_FOUND')
        passed++
      },
    )
  }

  test('the guide names the versions that are tested', async () => {
    const guide = await readFile('src/docs/guides/clients.md', 'utf8')
    const modules = await readFile(join(clients, 'go/go.mod'), 'utf8')
    const goVersions = [...modules.matchAll(/(ogen|oapi-codegen)(?:\/v2)? v([\d.]+)/g)].map(
      ([, name, version]) => `${name} ${version}`,
    )
    const named = [...npmPackages.slice(1, 5), pipPackages[0]!].map((name) => name.replace(/(?<=.)(@|==)/, ' '))
    const [, generatorVersion] = /cli:(.*)/.exec(openApiGenerator)!
    const all = [...named, ...goVersions, `openapi-generator ${generatorVersion}`]
    assert.equal(all.length, 8)
    assert.deepEqual(all.filter((name) => !guide.includes(`${name}`)), []) // prettier-ignore
  })

  test('the linter reports no problems', async () => {
    await installNpmPackages()
    await cp(join(clients, 'redocly.yaml'), at('typescript', 'redocly.yaml'))
    const { totals, problems } = JSON.parse(await npx('redocly', 'lint', '--format=json', 'openapi.json'))
    assert.deepEqual([totals.errors, totals.warnings, problems], [0, 0, []])
  })

  test('openapi-typescript: the client compiles, walks pages, creates and completes a task, and parses problems', async () => {
    await installNpmPackages()
    await npx('openapi-typescript', 'openapi.json', '--default-non-nullable', 'false', '-o', 'schema.d.ts')
    // prettier-ignore
    const options = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--target', 'es2023', '--module', 'nodenext']
    await npx('tsc', ...options, 'openapi-fetch.ts')

    const { clientFor, firstProject, walk, create, complete, missing } = await import(at('typescript/openapi-fetch.js'))
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

  test('openapi-python-client: the client passes mypy, walks pages, creates and completes a task, and parses problems', async () => {
    const folder = 'python/openapi-python-client'
    await mkdir(at(folder))
    await runIn(folder, 'python3', '-m', 'venv', 'venv')
    await runIn(folder, 'venv/bin/pip', 'install', '-q', ...pipPackages)
    await writeFile(at(folder, 'python.yaml'), 'post_hooks: []\n')
    const options = ['--config', 'python.yaml', '--meta', 'none', '--output-path', 'workgate_client']
    const made = await runIn(
      folder,
      'venv/bin/openapi-python-client',
      'generate',
      '--path',
      at('openapi.json'),
      ...options,
    )
    assert.doesNotMatch(made, /warning/i, made)
    await cp(at('python/openapi_python_client.py'), at(folder, 'client.py'))
    await runIn(folder, 'venv/bin/mypy', 'client.py')

    const output = await runIn(folder, 'venv/bin/python', 'client.py', origin)
    const { small, large, created, again, replayed, completed, stale, problem } = JSON.parse(output)
    assert.ok(small.length > 14)
    assert.deepEqual(small, large)
    assert.deepEqual([created.state, created.priority], ['open', 'high'])
    assert.deepEqual([again, replayed], [created.id, 'true'])
    assert.deepEqual([completed.id, completed.state, completed.version], [created.id, 'completed', 2])
    assert.equal(stale, 'PRECONDITION_FAILED')
    assert.deepEqual(problem, [404, 'NOT_FOUND'])
  })
})
