// A repeated read, which takes a shorter path, gets the response of the first one, whatever its headers ask for.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { web } from '../support/data.ts'

const { workgate, key } = await contractSuite({
  data: 'tasks',
  environment: { CORS_ORIGINS: 'https://a.example', TRUST_PROXY: '1' },
})

const paths = ['/key', '/projects', `/projects/${web}/tasks?limit=2`, '/projects/WEB/tasks', '/projects/summary']
const { etag } = (await workgate.send(`GET ${paths[0]}`, { key })).headers

// prettier-ignore
const cases: [claim: string, headers: Record<string, string>][] = [
  ['nothing',             {}],
  ['compression',         { 'accept-encoding': 'br' }],
  ['what has changed',    { 'if-none-match': etag! }],
  ['an allowed origin',   { origin: 'https://a.example' }],
  ['another origin',      { origin: 'https://b.example' }],
  ['links through a proxy', { 'x-forwarded-host': 'h.example', 'x-forwarded-proto': 'https' }],
  ['its own id',          { 'x-request-id': 'mine' }],
]

// They differ between any two requests.
const ownHeaders = ['date', 'x-observed-at', 'x-request-id', 'x-ratelimit-reset', 'ratelimit', 'x-ratelimit-remaining']

describe('a repeated read has the response of the first, if it asks for', () => {
  for (const [n, [claim, headers]] of cases.entries()) {
    test(claim, async () => {
      for (const method of ['GET', 'HEAD']) {
        // Nothing is remembered for a new way to send the key.
        const unknown = { authorization: `Bearer ${' '.repeat(2 * n + (method === 'GET' ? 1 : 2))}${key}` }
        for (const path of paths) {
          const send = async () => {
            const reply = await workgate.send(`${method} ${path}`, { headers: { ...headers, ...unknown } })
            const others = Object.entries(reply.headers).filter(([name]) => !ownHeaders.includes(name))
            const { status, body } = reply
            return { status, body, headers: Object.fromEntries(others), names: Object.keys(reply.headers).sort() }
          }
          const first = await send()
          assert.deepEqual(await send(), first, path)
        }
      }
    })
  }
})
