// The service and the commands at a pseudo-terminal, which script of util-linux provides.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { databaseSuite } from '../../support/artifact-suite.ts'
import { run } from '../../support/environment.ts'
import { showEscapes } from '../../support/escapes.ts'
import { recordOutput } from '../../support/log.ts'
import { api, freshDatabase } from '../../support/workgate.ts'
import { cleanUp, temporaryFolder, until } from '../../faults/fixtures/embedded.ts'

const { url: DATABASE_URL, key } = await databaseSuite()

/** Runs a shell command at a terminal. Its standard input is the keyboard. */
function atTerminal(t: TestContext, command: string, environment: Record<string, string>) {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: {
      PATH: process.env['PATH'],
      SHELL: '/bin/sh',
      TERM: 'xterm',
      DATABASE_URL,
      PORT: '0',
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  cleanUp(t, () => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes
    recordOutput(bytes.toString())
  })
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  return { child, ended, output: () => showEscapes(output).replaceAll('\r\n', '\n') }
}

const program = run().program.join(' ')

/** Serves a request at a terminal, is stopped with Ctrl+C, and returns the output. */
async function serveAtTerminal(t: TestContext, environment: Record<string, string>): Promise<string> {
  const { child, ended, output } = atTerminal(t, `exec ${program}`, environment)
  const url = () => /(?:Address.*|"url":")(http:[^"\s]+)/.exec(output())?.[1]
  await until('it listens', () => url() !== undefined)
  const response = await fetch(`${url()}${api}/projects`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.status, 200)
  await until('the request is logged', () => output().includes('suite'))
  child.stdin.write('\x03')
  assert.deepEqual(await ended, [0, null])
  return output().replace(/^\^C/m, '')
}

describe('the log of a service at a terminal', { concurrency: 2 }, () => {
  for (const WORKERS of ['1', '2']) {
    test(`is text with colors, with WORKERS=${WORKERS}`, async (t) => {
      const output = await serveAtTerminal(t, { WORKERS })
      assert.match(output, /^\n {2}␛\[1mWorkgate [\d.]+␛\[0m.*\n\n {2}␛\[2mAddress/)
      const [dim, green, cyan, reset] = ['␛[2m', '␛[32m', '␛[36m', '␛[0m']
      const line = output
        .split('\n')
        .find((one) => one.includes('GET'))!
        .replaceAll(/\d\d:\d\d:\d\d|[\d.]+ ms/g, '…')
      assert.equal(line, `${dim}…${reset} GET ${api}/projects ${green}200${reset} ${dim}…${reset} ${cyan}suite${reset}`)
      assert.match(output, / stopping\n.* stopped\n$/)
    })
  }

  for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
    test(`has no colors with ${JSON.stringify(environment)}`, async (t) => {
      const output = await serveAtTerminal(t, environment)
      assert.doesNotMatch(output, /␛/)
      assert.match(output, /\n\d\d:\d\d:\d\d GET \/api\/external\/v1\/projects 200 [\d.]+ ms suite\n/)
    })
  }

  test('is JSON with LOG_FORMAT=json', async (t) => {
    const lines = (await serveAtTerminal(t, { LOG_FORMAT: 'json' })).trim().split('\n')
    const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message)
    assert.deepEqual(messages, ['listening', 'request', 'stopping', 'stopped'])
  })
})

test('the log of a command is text only if its standard error is a terminal', async (t) => {
  const folder = await temporaryFolder(t)
  const empty = await freshDatabase('template0')
  cleanUp(t, empty.drop)
  const environment = { DATABASE_URL: empty.url, LOG_LEVEL: 'debug' }
  const first = atTerminal(t, `${program} migrate 2>${join(folder, 'errors')}`, environment)
  assert.deepEqual(await first.ended, [0, null])
  assert.match(first.output(), /^All \d+ migrations are applied\.\n$/)
  const [line] = (await readFile(join(folder, 'errors'), 'utf8')).split('\n')
  assert.deepEqual(Object.keys(JSON.parse(line!)), ['time', 'level', 'message', 'migration'])

  await empty.sql`drop schema workgate cascade`
  const second = atTerminal(t, `${program} migrate`, environment)
  assert.deepEqual(await second.ended, [0, null])
  assert.match(second.output(), /^␛\[2m\d\d:\d\d:\d\d␛\[0m migrated ␛\[2mmigration=␛\[0m0001-directory\n/)
})

describe('demo at a terminal', { concurrency: 2 }, () => {
  const result =
    /^Created demo data up to \d{4}-\d\d-\d\d:\n( +\d+ [a-z ]+\n){8}Create a key: [^\n]+\nSee the projects: [^\n]+\n$/

  async function demoAtTerminal(t: TestContext, environment: Record<string, string> = {}) {
    const { url, drop } = await freshDatabase()
    cleanUp(t, drop)
    const command = `stty cols 72; ${program} demo --projects 3 --tasks 8000`
    const { ended, output } = atTerminal(t, command, { DATABASE_URL: url, ...environment })
    assert.deepEqual(await ended, [0, null])
    return output()
  }

  test('shows a bar that grows with the batches, fits the terminal, and is erased before the result', async (t) => {
    const [first, ...bars] = (await demoAtTerminal(t)).split('\r␛[K')
    assert.equal(first, '')
    assert.match(bars.pop()!, result)
    const done = bars.map((bar) => {
      const [, count] = /^creating tasks \[#*-*\] +\d+ %  ([\d,]+)\/8,000(?:  [\d,]+\/s)?(?:  about (?:\d+ min )?\d+ s left)?$/.exec(bar) ?? assert.fail(bar) // prettier-ignore
      assert.ok(bar.length < 72, bar)
      return Number(count!.replace(',', ''))
    })
    assert.deepEqual(done, done.toSorted((a, b) => a - b)) // prettier-ignore
    assert.ok(new Set(done).size > 2, String(done))
  })

  test('shows no bar if the terminal cannot move the cursor', async (t) => {
    const [, counts, rest] = /^((?:creating tasks: .*\n)*)([^]*)$/.exec(await demoAtTerminal(t, { TERM: 'dumb' }))!
    assert.match(counts!, /^(creating tasks: [\d,]+ of 8,000 \(\d+ %\)[ -~]*\n)*$/)
    assert.match(rest!, result)
  })
})
