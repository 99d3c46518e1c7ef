// Sends the requests of the fuzz tests: to the app as a function, or over HTTP to the artifact, unchanged.

import { Agent, request as openRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { conforming } from '../support/conformance.ts'
import { run } from '../support/environment.ts'
import {
  api,
  asService,
  openWorkgate,
  plain,
  serviceDatabase,
  startArtifact,
  type Reply,
  type Sql,
} from '../support/workgate.ts'

export interface Request {
  method: string
  /** Path and query below the path of the API, one character per byte. */
  target: string
  headers: Record<string, string | string[]>
  body?: string | Uint8Array<ArrayBuffer>
}

export interface Target {
  sql: Sql
  /** Returns undefined if Node refuses to send the request. */
  send(request: Request): Promise<Reply | undefined>
  close(): Promise<void>
}

export async function openTarget(): Promise<Target> {
  if (run().target === 'artifact') return openArtifact()
  const { sql, send, close } = await openWorkgate({ LOG_LEVEL: 'error' })
  return {
    sql,
    close,
    send: ({ method, target, headers, body }) =>
      send(`${method} /${api}${target}`, { headers, ...(body !== undefined && { body }) }),
  }
}

async function openArtifact(): Promise<Target> {
  const { url, sql, drop } = await serviceDatabase('artifact')
  const service = await startArtifact({ ...asService(url), RATE_LIMIT_PER_MINUTE: '0' })
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  return {
    sql,
    async send({ method, target, headers, body }) {
      // Node sends no length for a body if the method usually has none. The body would be read as another request.
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      let outgoing: ClientRequest
      try {
        outgoing = openRequest(service.url, { method, path: api + target, headers: { ...headers, ...length }, agent })
      } catch (error) {
        if (/^ERR_(UNESCAPED|INVALID)/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined
        throw error
      }
      const responded = new Promise<IncomingMessage>((resolve, reject) =>
        outgoing.once('response', resolve).on('error', reject),
      )
      outgoing.end(body)
      const response = await responded
      const parts: Buffer[] = []
      // Malformed HTTP is refused with a body, even for HEAD: that body is not read.
      if (method === 'HEAD') response.resume()
      else for await (const part of response) parts.push(part)
      const { statusCode: status = 0, headers: given } = response
      const text = plain({ headers: given as Reply['headers'], body: Buffer.concat(parts) })
      const parsed = text !== '' && given['content-type']?.includes('json') ? JSON.parse(text) : undefined
      return conforming(method, api + target, { status, headers: given as Reply['headers'], text, body: parsed })
    },
    async close() {
      agent.destroy()
      await service.close()
      await drop()
    },
  }
}
