// The service and the commands at a pseudo-terminal, which script of util-linux provides.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { run } from '../../support/environment.ts'
import { showEscapes } from '../../support/escapes.ts'
import { recordOutput } from '../../support/log.ts'
import { api, freshDatabase, issueKey } from '../../support/workgate.ts'
import { cleanUp, temporaryFolder, until } from '../../faults/fixtures/embedded.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let key: string

before(async () => {
  database = await freshDatabase()
  key = await issueKey(database.sql, 'suite')
})
after(() => database.drop())

/** Runs a shell command at a terminal. Its standard input is the keyboard. */
function atTerminal(t: TestContext, command: string, environment: Record<string, string>) {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: {
      PATH: process.env['PATH'],
      SHELL: '/bin/sh',
      TERM: 'xterm',
      DATABASE_URL: database.url,
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
  return { child, ended: once(child, 'close'), output: () => showEscapes(output).replaceAll('\r\n', '\n') }
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
