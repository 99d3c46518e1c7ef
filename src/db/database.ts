// A pool of connections, each used by one statement at a time.
//
// The driver's own pool is not used: it sends statements down connections that are busy, so a slow one holds up the
// ones behind it; it has no bound on what waits; and a connection that breaks while something is being written can
// stay broken (porsager/postgres #1154). Here each connection is a driver of its own, thrown away at the first doubt.

import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { asDatabaseError, connectionSurvives, DatabaseUnavailable } from './errors.ts'

export type Target = { url: string } | { socket: string; user: string; database: string }

export interface DatabaseOptions {
  target: Target
  poolSize: number
  statementTimeoutMs: number
}

type Parameter = string | number | boolean | null

/** One connection, for several statements in a row. */
export interface Session {
  run<Row>(text: string, values?: readonly Parameter[]): Promise<Row[]>
  /** Several statements in one text, without parameters. */
  script(text: string): Promise<void>
}

export interface Database {
  run<Row>(text: string, values?: readonly Parameter[]): Promise<Row[]>
  session<T>(work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const connectTimeoutSeconds = 5
const waitForConnectionMs = 3_000
const waitersPerConnection = 50
// PostgreSQL ends a statement that takes too long. This is for one that cannot answer at all.
const silenceMs = 2_000

export function openDatabase({ target, poolSize, statementTimeoutMs }: DatabaseOptions): Database {
  const idle: Connection[] = []
  const waiting: ((connection: Connection | undefined) => void)[] = []
  const open = new Set<Connection>()
  let closed = false

  async function take(): Promise<Connection> {
    if (closed) throw new DatabaseUnavailable('the pool is closed')
    const ready = idle.pop()
    if (ready) return ready
    if (open.size < poolSize) return openAnother()
    if (waiting.length >= poolSize * waitersPerConnection) throw new DatabaseUnavailable('too many statements wait')
    const free = await new Promise<Connection | undefined>((resolve) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(resume), 1)
        resolve(undefined)
      }, waitForConnectionMs)
      const resume = (connection: Connection | undefined) => {
        clearTimeout(timer)
        resolve(connection)
      }
      waiting.push(resume)
    })
    if (!free) throw new DatabaseUnavailable('no connection became free in time')
    return free
  }

  function openAnother(): Connection {
    const connection = openConnection(target, statementTimeoutMs, () => drop(connection))
    open.add(connection)
    return connection
  }

  function give(connection: Connection) {
    if (!open.has(connection)) return
    const next = waiting.shift()
    if (next) next(connection)
    else idle.push(connection)
  }

  function drop(connection: Connection) {
    if (!open.delete(connection)) return
    const at = idle.indexOf(connection)
    if (at >= 0) idle.splice(at, 1)
    connection.lose(new DatabaseUnavailable('the connection was given up'))
    if (!closed && waiting.length > 0) waiting.shift()!(openAnother())
  }

  return {
    async run<Row>(text: string, values: readonly Parameter[] = []) {
      const connection = await take()
      const silence = setTimeout(() => {
        connection.lose(new DatabaseUnavailable('the database does not answer'))
      }, statementTimeoutMs + silenceMs)
      try {
        const rows = await connection.run<Row>(text, values)
        give(connection)
        return rows
      } catch (error) {
        if (connectionSurvives(error)) give(connection)
        else drop(connection)
        throw asDatabaseError(error)
      } finally {
        clearTimeout(silence)
      }
    },

    async session(work) {
      const connection = openConnection(target, 0, () => {})
      try {
        return await work(connection)
      } catch (error) {
        throw asDatabaseError(error)
      } finally {
        await connection.end(1)
      }
    },

    async close() {
      closed = true
      for (const resume of waiting.splice(0)) resume(undefined)
      await Promise.all([...open].map((connection) => connection.end(1)))
    },
  }
}

// Times and JSON go through as text. The driver would make a Date of a time, which knows no microseconds and throws
// at what it cannot read, and would parse and print JSON again.
const asText = { serialize: (value: unknown) => value, parse: (value: unknown) => value }
const asTheyAre = {
  date: { to: 1184, from: [1082, 1114, 1184], ...asText },
  json: { to: 114, from: [114, 3802], ...asText },
}

interface Connection extends Session {
  /** Ends it in good order, or after the grace without. */
  end(graceSeconds: number): Promise<void>
  /** Ends it at once; what runs fails with the error. */
  lose(error: DatabaseUnavailable): void
}

/** The driver with one socket. Left alone it takes another one after each loss: in an endless loop where a proxy without
    a database behind it closes what it has accepted, and in the middle of a transaction as if nothing had happened. */
function openConnection(target: Target, statementTimeoutMs: number, onclose: () => void): Connection {
  const sockets: Socket[] = []
  let lost: DatabaseUnavailable | undefined
  let fail = (_: DatabaseUnavailable) => {}

  function lose(error: DatabaseUnavailable) {
    if (lost) return
    lost = error
    for (const socket of sockets) socket.destroy()
    fail(error)
    onclose()
  }

  /** One for each host that the address names. */
  function openSocket({ host, port, path }: { host: string[]; port: number[]; path: string | false }): Socket {
    const at = sockets.length
    if (at === host.length) lose(new DatabaseUnavailable('CONNECTION_CLOSED'))
    if (lost) throw lost
    const socket = path ? connect(path) : connect(port[at]!, host[at]!)
    sockets.push(socket)
    // TLS wants to know the name.
    return Object.assign(socket, { host: host[at] })
  }

  const options = {
    max: 1,
    socket: openSocket,
    connect_timeout: connectTimeoutSeconds,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    onclose: () => lose(new DatabaseUnavailable('CONNECTION_CLOSED')),
    types: asTheyAre,
    connection: {
      application_name: 'workgate',
      statement_timeout: statementTimeoutMs,
      // Without it a filter may run on a plan made for another filter; see "plans" in test/sql.
      plan_cache_mode: 'force_custom_plan',
      jit: 'off',
      TimeZone: 'UTC',
    },
  } as const
  const sql =
    'url' in target
      ? connectByUrl(target.url, options)
      : postgres({ ...options, path: socketIn(target.socket), user: target.user, database: target.database })

  const answerTo = <T>(statement: PromiseLike<T>) =>
    new Promise<T>((resolve, reject) => {
      if (lost) return reject(lost)
      fail = reject
      statement.then(resolve, reject)
    })
  return {
    run: async <Row>(text: string, values: readonly Parameter[] = []) =>
      (await answerTo(sql.unsafe(text, [...values], { prepare: true }))) as unknown as Row[],
    script: async (text) => {
      await answerTo(sql.unsafe(text).simple())
    },
    async end(graceSeconds) {
      await sql.end({ timeout: graceSeconds })
      lose(new DatabaseUnavailable('the connection is closed'))
    },
    lose,
  }
}

/** Takes what libpq takes for a unix socket, too: postgres:///database?host=/var/run/postgresql */
function connectByUrl(text: string, options: postgres.Options<Record<string, postgres.PostgresType>>) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const folder = url?.searchParams.get('host')
  if (!url || !folder?.startsWith('/')) return postgres(text, options)
  url.searchParams.delete('host')
  return postgres(url.href, { ...options, path: socketIn(folder, url.port) })
}

const socketIn = (folder: string, port = '') => `${folder}/.s.PGSQL.${port || 5432}`
