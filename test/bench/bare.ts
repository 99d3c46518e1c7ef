// Bare node:http in a process of its own, with the bytes and headers that the service answers: what is left to gain.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import type { Ask, Target } from './bench-load.ts'

export interface Bare extends Target {
  /** The same request to the bare server as one to the service. */
  asks(asks: readonly Ask[]): Ask[]
  stop(): void
}

/** Takes the answer of the service to each request. */
export async function startBare(folder: string, service: Target, asks: readonly Ask[]): Promise<Bare> {
  const places = new Map(asks.map((ask, n) => [ask, `/${n}${ask.path}`]))
  const answers: (ApiResponse & { path: string })[] = []
  for (const [ask, path] of places) answers.push({ path, ...(await answerTo(service.url, ask)) })
  const file = join(folder, 'answers.json')
  await writeFile(file, JSON.stringify(answers))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.mjs'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: `http://127.0.0.1:${Number(port)}`,
    pid: child.pid!,
    asks: (asks) => asks.map((ask) => ({ ...ask, path: places.get(ask)! })),
    stop: () => void child.kill(),
  }
}

export interface ApiResponse {
  status: number
  headers: IncomingHttpHeaders
  /** In base64, as it came. */
  body: string
}

// Of the connection; node:http sends its own.
const ofConnection = ['connection', 'keep-alive', 'date']

export async function answerTo(url: string, { path, headers = {} }: Ask): Promise<ApiResponse> {
  const [response] = await once(get(url + path, { headers }), 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const lasting = Object.entries(response.headers as IncomingHttpHeaders).filter(
    ([name]) => !ofConnection.includes(name),
  )
  return {
    status: response.statusCode,
    headers: Object.fromEntries(lasting),
    body: Buffer.concat(chunks).toString('base64'),
  }
}
