// Runs bare node:http in a process of its own, and compares the service with it. It sends the same bytes and headers as
// the service, which shows how much faster the service could become.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import type { BenchRequest, Target } from './bench-load.ts'
import { ratio, totalProcessor, type Raced } from './race.ts'
import { atLeast, atMost } from './table.ts'

export interface Bare extends Target {
  /** Maps requests to the service to the same requests to the bare server. */
  toBare(requests: readonly BenchRequest[]): BenchRequest[]
  stop(): void
}

/** Starts the server with the service's responses to these requests. */
export async function startBare(folder: string, service: Target, requests: readonly BenchRequest[]): Promise<Bare> {
  const places = new Map(requests.map((request, n) => [request, `/${n}${request.path}`]))
  const responses: (ApiResponse & { path: string })[] = []
  for (const [request, path] of places) responses.push({ path, ...(await responseTo(service.url, request)) })
  const file = join(folder, 'responses.json')
  await writeFile(file, JSON.stringify(responses))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.mjs'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: `http://127.0.0.1:${Number(port)}`,
    pid: child.pid!,
    toBare: (requests) => requests.map((request) => ({ ...request, path: places.get(request)! })),
    stop: () => void child.kill(),
  }
}

export interface ApiResponse {
  status: number
  headers: IncomingHttpHeaders
  /** In base64, as received. */
  body: string
}

// node:http sends its own headers for the connection.
const connectionHeaders = ['connection', 'keep-alive', 'date']

export async function responseTo(url: string, { path, headers = {} }: BenchRequest): Promise<ApiResponse> {
  const [response] = await once(get(url + path, { headers }), 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const lasting = Object.entries(response.headers as IncomingHttpHeaders).filter(
    ([name]) => !connectionHeaders.includes(name),
  )
  return {
    status: response.statusCode,
    headers: Object.fromEntries(lasting),
    body: Buffer.concat(chunks).toString('base64'),
  }
}

/** The same request from a client that knows the response, which gets a 304. */
export async function withTag(service: Target, request: BenchRequest): Promise<BenchRequest> {
  const { headers } = await responseTo(service.url, request)
  return { ...request, headers: { ...request.headers, 'if-none-match': headers['etag']! } }
}

const minCore = 0.9

/**
 * Compares CPU time per response, then rates. The CPU time is the better figure: a bare server that does not get a whole
 * core is not as fast as it could be, which flatters the service.
 */
export function againstBare(
  service: Raced,
  bare: Raced,
  { maxTimes, minRate }: { maxTimes?: number; minRate?: number } = {},
): string {
  const times = ratio(service, bare, totalProcessor)
  const rate = ratio(service, bare)
  const starved = bare.rounds.filter(({ rate, processor }) => rate * processor! < minCore).length
  return [
    `${times.toFixed(2)} times the CPU of bare${maxTimes === undefined ? '' : ` ${atMost(`${maxTimes}`, times <= maxTimes)}`}`,
    `${rate.toFixed(2)} of its rate${minRate === undefined ? '' : ` ${atLeast(minRate, rate)}`}`,
    ...(starved > 0 ? [`bare had less than ${minCore} of a core in ${starved} of ${bare.rounds.length} rounds`] : []),
  ].join(', ')
}
