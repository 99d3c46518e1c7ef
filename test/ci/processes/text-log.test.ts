// The log as text for people, LOG_FORMAT=text. terminal.test.ts tests when it is the default, and its colors.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test, type TestContext } from 'node:test'
import { migrations } from '../../../src/db/schema/migrations.ts'
import { createLog, type Log } from '../../../src/runtime/log.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { showEscapes } from '../../support/escapes.ts'
import { api, freshDatabase, issueKey, openWorkgate, runArtifact } from '../../support/workgate.ts'

/** Without the time at its start. */
function lineOf(write: (log: Log) => void, commonFields = {}): string {
  let text = ''
  write(createLog('debug', (line) => (text += line), commonFields, 'text'))
  return text.replace(/^\d\d:\d\d:\d\d /, '')
}

const request = {
  requestId: 'r-1',
  method: 'GET',
  path: '/readyz',
  route: '/readyz',
  status: 200,
  ms: 1.67,
  address: '127.0.0.1',
}
const stack = ['at respond (file:///dist/workgate.mjs:1:2)', 'at async run (file:///dist/workgate.mjs:3:4)']

// prettier-ignore
const lines: [claim: string, write: (log: Log) => void, text: string][] = [
  ['a request',                   (log) => log.info('request', request),                                     'GET /readyz 200 1.67 ms\n'],
  ['a request of a key',          (log) => log.info('request', { ...request, keyId: 'k', keyName: 'first' }), 'GET /readyz 200 1.67 ms first\n'],
  ['a slow request',              (log) => log.info('request', { ...request, ms: 12_345.67 }),               'GET /readyz 200 12346 ms\n'],
  ['a failed request',            (log) => log.error('request', { ...request, status: 500, cause: { name: 'TypeError', stack } }),
    'error GET /readyz 500 1.67 ms\n         requestId: r-1\n         cause: TypeError at respond (file:///dist/workgate.mjs:1:2)\n'],
  ['an error of the database',    (log) => log.info('request', { ...request, status: 503, cause: { name: 'PostgresError', code: '57P03', routine: 'ProcessStartupPacket' } }),
    'GET /readyz 503 1.67 ms\n         requestId: r-1\n         cause: PostgresError 57P03 ProcessStartupPacket\n'],
  ['an event',                    (log) => log.info('stopping'),                                             'stopping\n'],
  ['words, numbers and objects',  (log) => log.debug('event', { word: 'a/b', count: 2, none: undefined, statuses: { 200: 1 }, text: 'two words' }),
    'debug event word=a/b count=2 statuses={"200":1} text="two words"\n'],
  ['a problem in several lines',  (log) => log.warn('failed', { problem: 'invalid:\n  "a"', delay_ms: 5 }),   'warn failed delay_ms=5\n         problem: invalid:\n             "a"\n'],
  ['a quoted name in a sentence', (log) => log.warn('failed', { advice: 'see "As root"' }),                  'warn failed\n         advice: see "As root"\n'],
]

describe('a line shows', () => {
  for (const [claim, write, text] of lines) test(claim, () => assert.equal(lineOf(write), text))

  test('the number of the worker, but not in every request', () => {
    assert.equal(
      lineOf((log) => log.info('event'), { worker: 2 }),
      'event worker=2\n',
    )
    assert.equal(
      lineOf((log) => log.info('request', request), { worker: 2 }),
      'GET /readyz 200 1.67 ms\n',
    )
  })
})

test('control characters are escaped wherever they are', () => {
  const dangerous = 'a\x1b[2Jb\rc\u0007\u009b1m\u202e\u2028\u200bd'
  const escaped = 'a\\u001b[2Jb\\u000dc\\u0007\\u009b1m\\u202e\\u2028\\u200bd'
  const cause = { name: dangerous, code: dangerous, stack: [dangerous] }
  const text = lineOf((log) => log.warn(dangerous, { word: dangerous, long: `${dangerous}\n${dangerous}`, cause }))
  assert.equal(text.split(escaped).length, 8)
  const ofRequest = lineOf((log) =>
    log.error('request', { ...request, status: 500, keyName: dangerous, requestId: dangerous }),
  )
  assert.equal(ofRequest.split(escaped).length, 3)
  const nested = lineOf((log) => log.warn('event', { names: [dangerous], text: `two words ${dangerous}` }))
  for (const output of [text, ofRequest, nested])
    assert.doesNotMatch(output.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}]/u)
})

test('the name of a key and the path of a request cannot control the terminal', async (t) => {
  const workgate = await openWorkgate({ LOG_FORMAT: 'text', TRUST_PROXY: '1' }, 'process')
  cleanUp(t, workgate.close)
  // A name from before the rule.
  await workgate.sql`alter table workgate.api_keys drop constraint api_keys_name_form`
  const key = await workgate.issueKey('red\x1b[31m key')
  const headers = { 'x-request-id': 'a\x1b[2Jb', 'x-forwarded-for': '\x1b[2J', traceparent: '\x1b[2J' }
  await workgate.send('GET /projects/\x1b[2J', { key, headers })
  await until('it is logged', () => workgate.logText() !== '')
  const text = showEscapes(workgate.logText()).replaceAll(/␛\[(0|2|3[1-6])m/g, '')
  assert.match(text, /^\d\d:\d\d:\d\d GET \/api\/external\/v1\/projects\/… 40\d [\d.]+ ms red\\u001b\[31m key\n$/)
})

/** Starts the artifact, whose output is a pipe. */
async function start(t: TestContext, environment: Record<string, string>) {
  const child = runArtifact(['serve'], { PORT: '0', LOG_FORMAT: 'text', ...environment })
  cleanUp(t, () => void child.kill('SIGKILL'))
  let output = ''
  child.stdout!.on('data', (bytes: Buffer) => (output += bytes))
  await until('it listens', () => {
    assert.equal(child.exitCode, null)
    return /Documentation .*\n/.test(output)
  })
  return {
    output: () => output,
    url: /Address +(\S+)\n/.exec(output)![1]!,
    async stop() {
      child.kill('SIGTERM')
      assert.deepEqual(await once(child, 'close'), [0, null])
    },
  }
}

test('a service on a new database says what a newcomer needs, then one line per request', async (t) => {
  const database = await freshDatabase('template0')
  cleanUp(t, database.drop)
  const first = await start(t, { DATABASE_URL: database.url })
  assert.match(first.output(), new RegExp(
    `^\\d\\d:\\d\\d:\\d\\d created the schema of the database \\(${migrations.length} migrations\\)\\n` +
      '\\n {2}Workgate \\d+\\.\\d+\\.\\d+( \\(commit \\S+\\))?\\n' +
      `\\n {2}Address {8}${first.url}\\n {2}Explorer {7}${first.url}/explorer\\n {2}Documentation {2}${first.url}/docs\\n` +
      ' {2}First key {6}DATABASE_URL=… node dist/workgate.mjs keys create first --all-projects\\n\\n$',
  )) // prettier-ignore
  const key = await issueKey(database.sql, 'suite')
  const response = await fetch(`${first.url}${api}/projects`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.status, 200)
  await first.stop()
  assert.match(
    first.output(),
    /\n\S+ GET \/api\/external\/v1\/projects 200 [\d.]+ ms suite\n\S+ stopping\n\S+ stopped\n$/,
  )

  const PUBLIC_URL = 'https://www.example.org/workgate'
  const second = await start(t, { DATABASE_URL: database.url, WORKERS: '2', PUBLIC_URL })
  assert.match(second.output(), /^ {2}Documentation {2}https:\/\/www\.example\.org\/workgate\/docs$/m)
  assert.match(second.output(), /^\n {2}Workgate/)
  assert.doesNotMatch(second.output(), /First key/)
  await fetch(`${second.url}/nothing`)
  await until('the worker logs the request', () => second.output().includes(' GET '))
  await second.stop()
  assert.match(second.output(), /\n\S+ GET \/… 404 [\d.]+ ms\n\S+ stopping\n\S+ stopped\n$/)
})
