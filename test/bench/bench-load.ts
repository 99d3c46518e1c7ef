// Sends requests over HTTP with wrk, one at a time on each of several connections.
//
// For a response of 29 KB, wrk uses 23 µs of CPU time and autocannon 53. Bare node:http, the baseline, sends one in 22,
// so on a machine with two CPUs autocannon would measure itself. wrk is near its limit there too (14 µs for a 304,
// which node:http sends in 14), so the tables also show the CPU time of the serving process alone.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Headers } from '../../src/api/responses/response.ts'
import { processorSeconds } from './processes.ts'
import type { Figures } from './race.ts'

const run = promisify(execFile)

export interface BenchRequest {
  method: 'GET' | 'POST'
  path: string
  headers?: Headers
  body?: string
}

export interface Target {
  url: string
  pid: number
}

export type Load = (
  target: Target,
  connections: number,
  requests: readonly BenchRequest[],
  seconds?: number,
) => Promise<Figures>

/** Sends the requests in a loop. Fails if any response is an error. */
export function createLoad(folder: string): Load {
  return async function load({ url, pid }, connections, requests, seconds = 1) {
    const file = join(folder, 'requests.lua')
    await writeFile(file, `return {${requests.map((request) => JSON.stringify(textOf(request))).join(',\n')}}`)
    const before = await processorSeconds(pid)
    const options = ['-t', '1', '-c', `${connections}`, '-d', `${seconds}s`, '--timeout', '10s', '-s', script]
    const { stdout } = await run('wrk', [...options, url, '--', file])
    const { responses, us, bytes, failed, p50, p99 } = JSON.parse(stdout.trim().split('\n').at(-1)!)
    if (failed > 0) throw new Error(`${failed} of ${responses} requests to ${requests[0]!.path} failed:\n${stdout}`)
    const processor = ((await processorSeconds(pid)) - before) / responses
    return {
      responses,
      rate: responses / (us / 1e6),
      p50: p50 / 1e6,
      p99: p99 / 1e6,
      bytes: bytes / responses,
      processor,
    }
  }
}

const script = join(import.meta.dirname, 'wrk.lua')

function textOf({ method, path, headers = {}, body = '' }: BenchRequest): string {
  const all = {
    host: 'bench',
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
