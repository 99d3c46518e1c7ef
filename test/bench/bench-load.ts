// Requests over HTTP by wrk, one at a time on each of several connections.
//
// For an answer of 29 KB it takes 23 µs of a processor and autocannon takes 53, while bare node:http, which is what we compare
// with, sends one in 22: on a machine with two processors autocannon would measure itself. wrk is near its end there too (14 µs
// for a 304, which node:http sends in 14), so beside the rates stands what the serving process alone took.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Headers } from '../../src/api/responses/response.ts'
import { processorSeconds } from './processes.ts'
import type { Figures } from './race.ts'

const run = promisify(execFile)

export interface Ask {
  method: 'GET' | 'POST'
  path: string
  headers?: Headers
  body?: string
}

export interface Target {
  url: string
  pid: number
}

export type Load = (target: Target, connections: number, asks: readonly Ask[], seconds?: number) => Promise<Figures>

/** Sends the requests in turn, again and again. No answer may be an error. */
export function createLoad(folder: string): Load {
  return async function load({ url, pid }, connections, asks, seconds = 1) {
    const file = join(folder, 'requests.lua')
    await writeFile(file, `return {${asks.map((ask) => JSON.stringify(textOf(ask))).join(',\n')}}`)
    const before = await processorSeconds(pid)
    const options = ['-t', '1', '-c', `${connections}`, '-d', `${seconds}s`, '--timeout', '10s', '-s', script]
    const { stdout } = await run('wrk', [...options, url, '--', file])
    const { answers, us, bytes, failed, p50, p99 } = JSON.parse(stdout.trim().split('\n').at(-1)!)
    if (failed > 0) throw new Error(`${failed} of ${answers} answers to ${asks[0]!.path} failed:\n${stdout}`)
    const processor = ((await processorSeconds(pid)) - before) / answers
    return { answers, rate: answers / (us / 1e6), p50: p50 / 1e6, p99: p99 / 1e6, bytes: bytes / answers, processor }
  }
}

const script = join(import.meta.dirname, 'wrk.lua')

function textOf({ method, path, headers = {}, body = '' }: Ask): string {
  const all = {
    host: 'bench',
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
