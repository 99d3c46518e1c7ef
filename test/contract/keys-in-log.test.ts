// Tests that no key reaches the log, wherever a client sends it by mistake, and that the log keeps the rest of a path.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { id, web } from '../support/data.ts'
import { showEscapes } from '../support/escapes.ts'
import { recordSecret } from '../support/log.ts'
import { until } from '../faults/fixtures/embedded.ts'
import { api, openWorkgate, type RequestOptions } from '../support/workgate.ts'

const secret = (text: string) => {
  recordSecret(text)
  return text
}
const environmentKeys = {
  text: secret(`environment:${crypto.randomUUID()}`),
  uuid: secret(crypto.randomUUID()),
  hex: secret(randomBytes(16).toString('hex')),
  short: secret(`short-${randomBytes(4).toString('hex')}`),
}
const entries = Object.entries(environmentKeys).map(([name, key]) => ({
  name,
  keySha256: createHash('sha256').update(key).digest('hex'),
}))

const environment = { API_KEYS: JSON.stringify(entries), TRUST_PROXY: '1' }
const { workgate, key } = await contractSuite({ data: 'basic', environment })
const atTerminal = await openWorkgate({ ...environment, LOG_FORMAT: 'text' }, 'process')
after(() => atTerminal.close())
const terminalKey = await atTerminal.issueKey('suite')

const encode = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')

// prettier-ignore
const places: [place: string, request: (text: string) => string, options?: (text: string) => RequestOptions][] = [
  ['the path of a project',        (text) => `GET /projects/${text}`],
  ['the path of a task',           (text) => `GET /projects/${web}/tasks/${text}/work-packet`],
  ['an unknown path of the API',   (text) => `GET /${text}/projects`],
  ['an unknown public path',       (text) => `GET //docs/${text}`],
  ['a path after other text',      (text) => `GET /projects/x${text}`],
  ['a percent-encoded path',       (text) => `GET /projects/${encode(text)}`],
  ['a path in upper case',         (text) => `GET /projects/${text.toUpperCase()}`],
  ['the query',                    (text) => `GET /projects?${text}=${text}&q=${text}`],
  ['X-Request-Id',                 () => 'GET /projects', (text) => ({ headers: { 'x-request-id': text } })],
  ['X-Request-Id in upper case',   () => 'GET /projects', (text) => ({ headers: { 'x-request-id': text.toUpperCase() } })],
  ['X-Request-Id after the same key', () => 'GET /key',   (text) => ({ key: text, headers: { 'x-request-id': `id-${text}`.slice(0, 64) } })],
  ['the trace id',                 () => 'GET /projects', (text) => ({ headers: { traceparent: `00-${text}-00f067aa0ba902b7-01` } })],
  ['the span id',                  () => 'GET /projects', (text) => ({ headers: { traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${text.slice(0, 16)}-01` } })],
  ['other headers',                () => 'GET /projects', (text) => ({ headers: { 'user-agent': text, referer: text, 'idempotency-key': text, 'if-none-match': text } })],
]

for (const [log, service, ownKey, line] of [
  ['the log', workgate, key, /"message":"request"/],
  ['the log at a terminal', atTerminal, terminalKey, /␛\[2m\d\d:\d\d:\d\d␛\[0m GET \//],
] as const) {
  describe(`${log} does not contain`, () => {
    for (const [place, request, options] of places) {
      for (const [kind, text] of Object.entries({ ...environmentKeys, database: ownKey })) {
        test(`a key (${kind}) from ${place}`, async () => {
          const before = service.logText().length
          await service.send(request(text), { key: ownKey, ...options?.(text) })
          await until('the request is logged', () => service.logText().length > before)
          const logged = service.logText().slice(before)
          assert.match(showEscapes(logged), line)
          const forms = [text, encode(text), ...(text === ownKey ? [text.slice(16, -6)] : [])]
          for (const form of forms) assert.ok(!logged.toLowerCase().includes(form.toLowerCase()), logged)
        })
      }
    }
  })
}

describe('the log contains', () => {
  // prettier-ignore
  const paths: [line: string, path: string][] = [
    [`GET /projects/${web}/users`,                           `${api}/projects/${web}/users`],
    [`GET /projects/${web.toUpperCase()}/users`,             `${api}/projects/${web.toUpperCase()}/users`],
    [`GET /projects/${web}/tasks/${id('task', 1)}/`,         `${api}/projects/${web}/tasks/${id('task', 1)}/`],
    [`GET /projects/${web}/nothing`,                         `${api}/projects/…/…`],
    ['GET /projects/1234/work-packet',                       `${api}/projects/…/work-packet`],
    ['GET //api/external/v2/projects',                       '/api/external/…/projects'],
    ['GET //docs/keys',                                      '/docs/keys'],
    ['GET //readyz',                                         '/readyz'],
    ['GET //docs/nothing',                                   '/…/…'],
    ['GET //wp-login.php',                                   '/…'],
  ]
  for (const [n, [line, path]] of paths.entries()) {
    test(`${path} for ${line}`, async () => {
      await workgate.send(line, { key, headers: { 'x-request-id': `path-${n}` } })
      assert.equal((await workgate.logged(`path-${n}`))['path'], path)
    })
  }

  test('a method that HTTP does not define as "other"', async () => {
    await workgate.send('PROPFIND /projects', { key, headers: { 'x-request-id': 'method' } })
    assert.equal((await workgate.logged('method'))['method'], 'other')
  })
})
