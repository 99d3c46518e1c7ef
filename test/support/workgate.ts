// Runs the whole service on a fresh database for one test file: called as a function, or the artifact as a process.

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import postgres from 'postgres'
import { readConfig } from '../../src/config/config.ts'
import { openDatabase, type Database } from '../../src/db/database.ts'
import type { App } from '../../src/api/app.ts'
import type { Incoming } from '../../src/api/incoming.ts'
import type { SentResponse } from '../../src/api/responses/response.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createService } from '../../src/service.ts'
import { conforming } from './conformance.ts'
import { run, type Run } from './environment.ts'
import { recordOutput, recordSecret } from './log.ts'
import { asOwnService, copyOwnDatabase } from './own-database.ts'

export const api = '/api/external/v1'

export interface Reply {
  status: number
  headers: Record<string, string>
  text: string
  /** The parsed body, if it is JSON. */
  body: any
}

export interface RequestOptions {
  key?: string | undefined
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array<ArrayBuffer>
  /** Aborting it disconnects the client. */
  signal?: AbortSignal
}

export type Sql = postgres.Sql

export type LogLine = Record<string, unknown>

export interface Workgate {
  url: string
  sql: Sql
  /** "GET /projects" is relative to the API's path, "GET //healthz" to the root. */
  send(line: string, ask?: RequestOptions): Promise<Reply>
  issueKey(name: string, options?: KeyOptions): Promise<string>
  /** The log lines so far. Those of a process may arrive after the response: wait for one with logged(). */
  logLines(): LogLine[]
  /** The log so far as it was written, also if it is text. */
  logText(): string
  /** Waits for the first log line about a request. */
  logged(requestId: string | undefined): Promise<LogLine>
  /** Stops the service; its database remains until close(). */
  end(): Promise<void>
  close(): Promise<void>
}

export interface KeyOptions {
  scopeMode?: 'selected_projects' | 'all_projects'
  projects?: string[]
  operations?: string[]
  rateLimit?: number
  expiresAt?: string
}

interface Service {
  send(line: string, ask: RequestOptions): Promise<Reply>
  close(): Promise<void>
}

/** Changes the database that a service in process uses. */
export type ChangeDatabase = (db: Database) => Database

export async function openWorkgate(
  environment: Record<string, string> = {},
  target = run().target,
  change?: ChangeDatabase,
): Promise<Workgate> {
  const { url, sql, drop } = await serviceDatabase(target)
  const lines: string[] = []
  const settings: Record<string, string> = { RATE_LIMIT_PER_MINUTE: '0', ...environment, ...asService(url) }
  let service: Service = await (target === 'artifact'
    ? startArtifact(settings, lines)
    : startInProcess(settings, lines, change))
  const logLines = () => lines.map((line) => JSON.parse(line) as LogLine)
  return {
    url,
    sql,
    async send(line, ask = {}) {
      const [method, target] = requestLine(line)
      return conforming(method, target, await service.send(line, ask))
    },
    issueKey: (name, options) => issueKey(sql, name, options),
    logLines,
    logText: () => lines.join(''),
    async logged(requestId) {
      for (let waited = 0; waited < 60_000; waited += 10) {
        const line = logLines().find((line) => line['requestId'] === requestId)
        if (line) return line
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      throw new Error(`the log has no line about request ${requestId}`)
    },
    async end() {
      await service.close()
      // An embedded database stopped with its service, so another service has to run it.
      if ('DATA_DIR' in settings) service = await startArtifact(settings)
    },
    async close() {
      await service.close()
      await drop()
    },
  }
}

/** Returns the settings with which the service connects to a database; the tests connect as its owner. */
export function asService(url: string): Record<string, string> {
  const ownService = asOwnService(url)
  if (ownService) return ownService
  const { least, pooler } = run()
  const address = new URL(least ? asLeast(url) : url)
  if (!pooler) return { DATABASE_URL: address.href }
  address.host = new URL(pooler).host
  return { DATABASE_URL: address.href, DATABASE_POOLER: 'transaction' }
}

/** Returns the URL for workgate_api, the role with least privilege. */
export function asLeast(url: string): string {
  return Object.assign(new URL(url), { username: 'workgate_api' }).href
}

/** Creates the database of a service: on the shared server, or its own embedded one. */
export async function serviceDatabase(target: Run['target']) {
  const { own, dataFolder } = run()
  if (!own || target === 'process') return freshDatabase()
  const { url, remove } = await copyOwnDatabase(dataFolder!)
  const sql = connect(url)
  return {
    url,
    sql,
    async drop() {
      await sql.end({ timeout: 1 })
      await remove()
    },
  }
}

/** Creates a database with the schema and no rows. */
export async function freshDatabase(template = 'template_workgate') {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const admins = (run().citus ?? [run().server]).map((url) => connect(url, { max: 1 }))
  for (const admin of admins) await admin.unsafe(`create database ${name} template ${template} strategy file_copy`)
  const url = run().server.replace('/postgres', `/${name}`)
  const sql = connect(url)
  return {
    url,
    sql,
    async drop() {
      await sql.end({ timeout: 1 })
      for (const admin of admins) {
        await admin.unsafe(`drop database ${name} with (force)`)
        await admin.end()
      }
    },
  }
}

export function connect(url: string, options: postgres.Options<{}> = {}): Sql {
  const folder = new URL(url).searchParams.get('host')
  const path = folder ? { path: `${folder}/.s.PGSQL.5432` } : {}
  return postgres(url.replace(/\?host=.*/, ''), { max: 4, onnotice: () => {}, ...path, ...options })
}

/** Runs the work with one connection. */
export async function withSql<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(url, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

export async function issueKey(sql: Sql, name: string, options: KeyOptions = {}): Promise<string> {
  const scopeMode = options.scopeMode ?? (options.projects ? 'selected_projects' : 'all_projects')
  const [row] = await sql`
    select workgate.issue_key(
      ${name}, ${scopeMode}, ${options.projects ?? []}::uuid[], ${options.operations ?? null}::text[],
      ${options.rateLimit ?? null}::integer, ${options.expiresAt ?? null}::timestamptz) as key`
  recordSecret(row!['key'])
  recordSecret(row!['key'].slice(16, -6))
  return row!['key']
}

/** Returns a key with valid check digits that was never issued. */
export function wellFormedKey(id: string, secret: string): string {
  const body = `wg_${id}_${secret}`
  return body + createHash('sha256').update(body).digest('hex').slice(0, 6)
}

/** Opens the service without a socket, on the database that the environment names. */
export function openInProcess(
  environment: Record<string, string>,
  write: (line: string) => void,
  change: ChangeDatabase = (db) => db,
) {
  const config = readConfig(environment, () => '')
  const style = config.LOG_FORMAT === 'text' ? 'colored text' : 'json'
  const log = createLog(config.LOG_LEVEL, write, {}, style)
  const db = openDatabase(
    {
      target: { url: config.DATABASE_URL!, pooler: config.DATABASE_POOLER },
      poolSize: config.DATABASE_POOL,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    },
    { replicas: { urls: config.DATABASE_REPLICAS, log }, ...(run().citus && { citus: { log } }) },
  )
  const service = createService(config, change(db), log)
  return {
    config,
    app: service.app,
    metrics: service.metrics,
    async close() {
      service.endWaiting()
      await service.close()
      await db.close()
    },
  }
}

async function startInProcess(
  environment: Record<string, string>,
  lines: string[],
  change?: ChangeDatabase,
): Promise<Service> {
  const { config, app, close } = openInProcess(
    environment,
    (line) => {
      recordOutput(line)
      lines.push(line)
    },
    change,
  )
  return {
    close,
    async send(line, { key, headers = {}, body, signal }) {
      const [method, target] = requestLine(line)
      const all = Object.entries({ ...(key && { authorization: `Bearer ${key}` }), ...headers })
      const response = await askApp(app, {
        method,
        target,
        headers: Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), [value].flat()])),
        // As the server does, in tests that set TRUST_PROXY.
        address: (config.TRUST_PROXY > 0 && [headers['x-forwarded-for']].flat()[0]) || '192.0.2.1',
        hasBody: body !== undefined,
        async readBody(maxBytes) {
          const bytes = Buffer.from(body ?? '')
          return bytes.length > maxBytes ? undefined : bytes
        },
        onDisconnect: (listener) => signal?.addEventListener('abort', listener),
        isDisconnected: () => signal?.aborted ?? false,
      })
      return reply(response.status, response.headers, plain(response))
    },
  }
}

/** Starts the built artifact as an operator does. */
export async function startArtifact(
  environment: Record<string, string>,
  lines: string[] = [],
  program = run().program,
) {
  const child = runArtifact(['serve'], { PORT: '0', ...environment }, process.cwd(), program)
  const url = await new Promise<string>((resolve, reject) => {
    let rest = ''
    let errors = ''
    child.stdout!.on('data', (bytes: Buffer) => {
      const parts = (rest + bytes).split('\n')
      rest = parts.pop()!
      for (const part of parts) {
        lines.push(part)
        const line = JSON.parse(part) as { message: string; url: string }
        if (line.message === 'listening') resolve(line.url)
      }
    })
    child.stderr!.on('data', (bytes: Buffer) => (errors += bytes))
    child.once('exit', (code) => reject(new Error(`the artifact exited with ${code}: ${errors}`)))
  })
  return {
    child,
    url,
    send: (line: string, ask: RequestOptions = {}) => sendTo(url, line, ask),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Runs the artifact with only PATH and the given environment. */
export function runArtifact(
  args: string[],
  environment: Record<string, string>,
  cwd = process.cwd(),
  program = run().program,
): ChildProcess {
  const [command, ...first] = program as [string, ...string[]]
  const child = spawn(command, [...first, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout!.on('data', (bytes: Buffer) => args[0] !== 'keys' && recordOutput(bytes.toString()))
  child.stderr!.on('data', (bytes: Buffer) => recordOutput(bytes.toString()))
  return child
}

/** Runs a command of the artifact and waits until it exits. */
export async function command(args: string[], environment: Record<string, string>, cwd?: string) {
  const child = runArtifact(args, environment, cwd)
  let out = ''
  let err = ''
  child.stdout!.on('data', (bytes: Buffer) => (out += bytes))
  child.stderr!.on('data', (bytes: Buffer) => (err += bytes))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: out.trim(), err: err.trim() }
}

/** Sends the path unchanged; fetch would rewrite it. */
async function sendTo(url: string, line: string, { key, headers = {}, body, signal }: RequestOptions): Promise<Reply> {
  const [method, target] = requestLine(line)
  const sent = request(url, {
    method,
    path: target.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
    ...(signal && { signal }),
  }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const responseHeaders = response.headers as Record<string, string>
  return reply(response.statusCode!, responseHeaders, plain({ headers: responseHeaders, body: Buffer.concat(chunks) }))
}

/** Returns the response with all its headers. */
export async function askApp(app: App, incoming: Incoming): Promise<SentResponse> {
  const { status, fields, body } = await app(incoming)
  const names = fields.filter((_, n) => n % 2 === 0)
  assert.equal(new Set(names).size, names.length, `a header is sent twice: ${names}`)
  return { status, headers: Object.fromEntries(names.map((name, n) => [name, fields[2 * n + 1]!])), body }
}

/** Returns the decompressed body. */
export function plain({ headers, body }: Pick<SentResponse, 'headers' | 'body'>): string {
  const bytes = Buffer.from(body as Uint8Array)
  const encoding = headers['content-encoding']
  // The response to HEAD has a content-encoding, but no body.
  if (encoding === undefined || bytes.length === 0) return bytes.toString()
  return (encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString()
}

function requestLine(line: string): [method: string, target: string] {
  const [method, target] = line.split(' ') as [string, string]
  return [method, target.startsWith('//') ? target.slice(1) : api + target]
}

function reply(status: number, headers: Readonly<Record<string, string>>, text: string): Reply {
  const isJson = text !== '' && headers['content-type']?.includes('json')
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined }
}
