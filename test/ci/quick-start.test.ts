// Follows a newcomer in a clean clone: at a terminal, and then through the quick starts of the README and of the guides,
// with the commands exactly as printed there. mistakes.test.ts tests a newcomer's mistakes. Ends with a table of the time
// of each step: npm test -- --alone test/ci/quick-start.test.ts

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { programIn, readChapter, readCodeBlocks } from '../support/code-blocks.ts'
import { withoutColors } from '../support/escapes.ts'
import { recordOutput, recordSecret } from '../support/log.ts'
import { cleanUp, until } from '../faults/fixtures/embedded.ts'

const run = promisify(execFile)
let folder: string
let clone: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workgate-clone-'))
  await chmod(folder, 0o755)
  clone = join(folder, 'workgate')
  await step('git clone', () => run('git', ['clone', '-q', process.cwd(), clone]))
})
after(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  const rows = times.map(([name, ms]) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
  console.log(`Time of each step:\n${rows.join('\n')}`)
})

const times: [step: string, ms: number][] = []

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  times.push([name, performance.now() - began])
  return result
}

const environment = () => {
  const { PATH, HOME, npm_config_registry } = process.env
  return { PATH, HOME, npm_config_registry }
}

/** Runs a command at a terminal, as script of util-linux provides it, until it ends or `interrupt` types Ctrl+C. */
function atTerminal(t: TestContext, command: string) {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: clone,
    env: { ...environment(), SHELL: '/bin/sh', TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  cleanUp(t, () => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => (output += bytes))
  const ended = once(child, 'close').then(() => recordOutput(output))
  return {
    output: () => withoutColors(output).replaceAll('\r', ''),
    until: (text: string) =>
      until(
        `it prints "${text}"`,
        () => {
          assert.equal(child.exitCode, null, output)
          return output.includes(text)
        },
        300_000,
      ),
    ended,
    interrupt: () => (child.stdin.write('\x03'), ended),
  }
}

/** Types a command in another shell, and returns its output and exit code. */
async function type(command: string) {
  const child = spawn('bash', ['-uc', command], { cwd: clone, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output: output.trim() }
}

describe('a newcomer at a terminal', { concurrency: false }, () => {
  test('starts the service, creates a key as printed, and gets a response', async (t) => {
    const service = atTerminal(t, 'npm start')
    await step('npm start, the first time', () => service.until('First key'))
    assert.match(
      service.output(),
      /Building dist\/workgate\.mjs\n[^]*created the schema of the database \(\d+ migrations\)\n/,
    )
    assert.equal(service.output().match(/migrations/g)!.length, 1)
    const docs = /^ {2}Documentation +(http:\S+)$/m.exec(service.output())![1]!
    await service.until('keys create')
    const createKey = /^ {2}First key +(.+)$/m.exec(service.output())![1]!
    const page = await step(`open ${docs}`, () => fetch(docs))
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])

    const created = await step(createKey, () => type(createKey))
    assert.equal(created.code, 0)
    recordSecret(created.output)
    const demo = await step('node dist/workgate.mjs demo', () => type('node dist/workgate.mjs demo'))
    assert.match(demo.output, /\b4000 tasks\n/)
    const projects = `${docs.replace('/docs', '')}/api/external/v1/projects`
    const ask = (key: string) => fetch(projects, { headers: { authorization: `Bearer ${key}` } })
    const response = await step('the first request', () => ask(created.output))
    assert.equal(((await response.json()) as { data: unknown[] }).data.length, 12)
    await service.until('first\x1b')
    assert.match(service.output(), /^\d\d:\d\d:\d\d GET \/api\/external\/v1\/projects 200 [\d.]+ ms first$/m)

    await step('a mistyped key', async () => assert.equal((await ask(`${created.output}x`)).status, 401))
    // npm sends the signal to the service a second time.
    await step('Ctrl+C', service.interrupt)
    assert.match(service.output(), /stopping\n.*stopped\n/)
  })

  test('a second start builds nothing', async (t) => {
    const second = atTerminal(t, 'npm start')
    await step('npm start, again', () => second.until('/docs'))
    assert.doesNotMatch(second.output(), /Installing|Building|migrations|First key/)
    await second.interrupt()
    await rm(join(clone, 'workgate-data'), { recursive: true })
  })
})

test('after npm start, the commands of the README read, write and verify, and the guide continues in the same shell', async () => {
  const readme = await readFile(join(clone, 'README.md'), 'utf8')
  const guide = await readFile(join(clone, 'src/docs/guides/quick-start.md'), 'utf8')
  const [start, ...rest] = commandsIn(readChapter(readme, '## Quick start'))
  const continued = commandsIn(guide.slice(guide.indexOf('## First request')))
  const stdout = await follow('README', start!, [...rest, ...continued], './workgate-data')
  assert.match(stdout, /^\{"data":\[\{"id":"[0-9a-f-]{36}","key":"[A-Z0-9]+"/m)
  assert.match(stdout, /^\{"data":\{.*"title":"Call the printer".*"state":"open"/m)
  assert.match(stdout, /^\{"data":\{.*"verified":true,.*"state":"completed"/m)
  // The guide sends the same write again, so it gets the same task.
  const tasks = stdout.match(/(?<=^\{"data":\{"id":")[0-9a-f-]{36}(?=".*"title":"Call the printer")/gm)!
  assert.deepEqual([tasks.length, new Set(tasks).size], [4, 1])
})

test('after npm start, the commands and programs of the guide read, write and walk pages', async () => {
  const guide = await readFile(join(clone, 'src/docs/guides/quick-start.md'), 'utf8')
  await writeFile(join(clone, 'client.mjs'), programIn(guide, 'js'))
  await writeFile(join(clone, 'client.py'), programIn(guide, 'python'))
  const programs = ['node client.mjs', 'python3 client.py'].map((program) => `WORKGATE_KEY=$key ${program}`)
  for (const program of programs) assert.ok(guide.includes(`\`${program}\``))
  const [start, ...rest] = commandsIn(guide)
  const stdout = await follow('guide', start!, [...rest, ...programs], './another-folder')
  assert.match(stdout, /"code":"VALIDATION_FAILED","detail":"stauts: is unknown; did you mean status\?"/)
  assert.match(
    stdout,
    /"title":"Call the printer".*"state":"open"[\s\S]*"title":"Call the printer".*"state":"completed"/,
  )
  // In JavaScript and Python, the same request fails and the same task is completed.
  const failures = stdout.match(/^VALIDATION_FAILED: stauts: is unknown; did you mean status\? \(.+\)$/gm)
  const completions = stdout.match(/^completed \d{4}-.*Z$/gm)
  assert.deepEqual([failures?.length, completions?.length, new Set(completions).size], [2, 2, 1])
  // The walks in both languages count the same open tasks as the summary.
  const walked = stdout.match(/^\w+: \d+ open tasks$/gm)
  const summary = stdout.split('\n').findLast((line) => line.startsWith('{"data":'))!
  const { data } = JSON.parse(summary) as {
    data: { key: string; tasks: { open: number } }[]
  }
  const known = data.map(({ key, tasks }) => `${key}: ${tasks.open} open tasks`)
  assert.ok(known.length > 5)
  assert.deepEqual(walked, [...known, ...known])
})

const commandsIn = (markdown: string) =>
  readCodeBlocks(markdown)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code)

/** Starts the service, runs the commands in order in one shell, and returns their output. */
async function follow(name: string, start: string, commands: string[], dataDir: string): Promise<string> {
  assert.equal(start, 'npm start')
  const env = { ...environment(), DATA_DIR: dataDir }
  const service = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await step(
      `${name}: npm start`,
      () =>
        new Promise<void>((resolve, reject) => {
          service.stdout.on('data', (bytes: Buffer) => String(bytes).includes('"listening"') && resolve())
          service.once('exit', () => reject(new Error('npm start exited')))
        }),
    )
    const { stdout, stderr } = await run('bash', ['-euc', commands.map(timed).join('\n')], { cwd: clone, env })
    const moments = [...stderr.matchAll(/^moment: ([\d.]+)$/gm)].map(([, moment]) => Number(moment) * 1_000)
    assert.equal(moments.length, 2 * commands.length)
    for (const [n, command] of commands.entries())
      times.push([`${name}: ${shorten(command)}`, moments[2 * n + 1]! - moments[2 * n]!])
    return stdout
  } finally {
    if (service.exitCode === null) {
      service.kill('SIGTERM')
      await once(service, 'exit')
    }
  }
}

const moment = 'echo "moment: $EPOCHREALTIME" >&2'

/** The output of a command need not end with a newline. */
const timed = (command: string) => `${moment}\n${command}\n${moment}\necho`

const shorten = (command: string) => {
  const [line] = command.replaceAll(/-H "[^"]*" |\\?\n.*/gs, '').split('\n')
  return line!.length > 100 ? `${line!.slice(0, 99)}…` : line!
}
