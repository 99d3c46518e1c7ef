// The rules of retries in the guide to errors, as cases for its samples in every language.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { listen } from './server.ts'

export interface RetryCase {
  claim: string
  /** The first response; all others are 200. */
  first: 'nothing' | number
  method: 'GET' | 'POST'
  headers: Record<string, string>
  requests: 1 | 2
}

const withKey = { 'Idempotency-Key': 'order-4711' }

// prettier-ignore
export const retryCases: RetryCase[] = [
  { claim: 'retries a read after a lost connection',              first: 'nothing', method: 'GET',  headers: {},      requests: 2 },
  { claim: 'retries a read after 503',                            first: 503,       method: 'GET',  headers: {},      requests: 2 },
  { claim: 'retries a write with an Idempotency-Key',             first: 'nothing', method: 'POST', headers: withKey, requests: 2 },
  { claim: 'does not retry a write without one after a lost connection', first: 'nothing', method: 'POST', headers: {}, requests: 1 },
  { claim: 'does not retry such a write after 503',               first: 503,       method: 'POST', headers: {},      requests: 1 },
  { claim: 'retries a write after 429',                           first: 429,       method: 'POST', headers: {},      requests: 2 },
  { claim: 'does not retry after 404',                            first: 404,       method: 'GET',  headers: {},      requests: 1 },
]

type Send = (url: string, method: string, headers: Record<string, string>) => Promise<unknown>

/** Runs a sample against a server that fails once, and counts its requests. */
export async function checkRetry({ first, method, headers, requests }: RetryCase, send: Send): Promise<void> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    if (++count > 1) return void response.end('{"data":[]}')
    if (first === 'nothing') return void request.socket.destroy()
    response.writeHead(first, { 'content-type': 'application/problem+json' }).end('{"code":"X"}')
  })
  try {
    const result = send(`http://127.0.0.1:${await listen(server)}`, method, { ...headers, connection: 'close' })
    if (requests === 2) assert.deepEqual(await result, { data: [] })
    else await assert.rejects(result)
    assert.equal(count, requests)
  } finally {
    server.close()
  }
}
