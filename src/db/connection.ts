// One connection to the database: the driver with one socket. Left alone the driver takes another socket after each loss:
// in an endless loop where a proxy without a database behind it closes what it has accepted, and in the middle of a
// transaction as if nothing had happened.

import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { addressesOf, hostsOf } from './address.ts'
import { asDatabaseError, DatabaseUnavailable } from './errors.ts'

export type Target = Server | { socket: string; user: string; database: string }

interface Server {
  url: string
  /** Set where a pooler stands before the server and lends us another of its connections for each transaction. */
  pooler?: 'transaction' | undefined
}

/** Of PostgreSQL, for as long as the connection lasts. Behind a pooler there is nothing that they could be of. */
export type Settings = Readonly<Record<string, string | number>>

export type Parameter = string | number | boolean | null

/** One connection, for several statements in a row. */
export interface Session {
  run<Row>(text: string, values?: readonly Parameter[]): Promise<Row[]>
  /** Several statements in one text, without parameters. */
  script(text: string): Promise<void>
}

export interface Connection extends Session {
  /** Ends it in good order, or after the grace without. */
  end(graceSeconds: number): Promise<void>
  /** Ends it at once; what runs on it fails. */
  lose(why: string): void
}

const connectTimeoutSeconds = 5

// At higher isolation levels a transaction cannot compact what others have appended, and after waiting for a lock it sees
// nothing newer. This overrides the default of the server, database or role; their default for read-only is kept.
const isolation = 'read committed' as const
/** Of a transaction of several statements; behind a pooler, of any. */
export const begin = `begin isolation level ${isolation}`

// Of several hosts a new connection begins with the one where the last went well, and not with one where it did not: that may
// say nothing, and time is over before the next one is tried.
const firstHosts = new WeakMap<Target, number>()

// Times and JSON go through as text. The driver would make a Date of a time, which knows no microseconds and throws
// at what it cannot read, and would parse and print JSON again.
const asText = { serialize: (value: unknown) => value, parse: (value: unknown) => value }
const asTheyAre = {
  date: { to: 1184, from: [1082, 1114, 1184], ...asText },
  json: { to: 114, from: [114, 3802], ...asText },
}

export function openConnection(target: Target, settings: Settings, onclose: () => void): Connection {
  const sockets: Socket[] = []
  const waiting = new Set<(error: DatabaseUnavailable) => void>()
  const first = firstHosts.get(target) ?? 0
  let current = first
  let isGood = false
  let lost: DatabaseUnavailable | undefined

  function lose(why: string) {
    if (lost) return
    lost = new DatabaseUnavailable(why)
    for (const socket of sockets) socket.destroy()
    for (const fail of waiting) fail(lost)
    onclose()
  }

  /** One for each host that the address names. */
  function openSocket({ host, port, path }: { host: string[]; port: number[]; path: string | false }): Socket {
    const count = host.length
    if (sockets.length === count) lose(count > 1 ? 'no host is a primary that answers' : 'CONNECTION_CLOSED')
    if (lost) throw lost
    const at = (first + sockets.length) % count
    const socket = path ? connect(path) : connect(port[at]!, host[at]!)
    sockets.push(socket)
    if (count > 1) learnFrom(socket, at, count)
    // TLS wants to know the name.
    return Object.assign(socket, { host: host[at] })
  }

  function learnFrom(socket: Socket, at: number, count: number) {
    current = at
    socket.once('close', () => isGood || firstHosts.set(target, (at + 1) % count))
  }

  function succeed() {
    if (isGood) return
    isGood = true
    firstHosts.set(target, current)
  }

  const answerTo = <T>(statement: PromiseLike<T>) =>
    new Promise<T>((resolve, reject) => {
      if (lost) return reject(lost)
      waiting.add(reject)
      const answered = (rows: T) => {
        succeed()
        resolve(rows)
      }
      statement.then(answered, (error) => reject(asDatabaseError(error))).then(() => waiting.delete(reject))
    })

  const pooled = isPooled(target)
  const options = {
    max: 1,
    socket: openSocket,
    connect_timeout: connectTimeoutSeconds,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    onclose: () => lose('CONNECTION_CLOSED'),
    types: asTheyAre,
    connection: {
      application_name: 'workgate',
      TimeZone: 'UTC',
      ...(!pooled && { default_transaction_isolation: isolation, ...settings }),
    },
  } as const
  const sql = connectDriver(target, options)
  return {
    run: async <Row>(text: string, values: readonly Parameter[] = []) =>
      (await answerTo(sql.unsafe(text, [...values], { prepare: !pooled }))) as unknown as Row[],
    script: (text) => answerTo(sql.unsafe(text).simple()).then(() => {}),
    async end(graceSeconds) {
      await sql.end({ timeout: graceSeconds })
      lose('the connection is closed')
    },
    lose,
  }
}

export function isPooled(target: Target): boolean {
  return 'url' in target && target.pooler !== undefined
}

function connectDriver(target: Target, options: postgres.Options<Record<string, postgres.PostgresType>>) {
  if ('socket' in target) {
    return postgres({ ...options, host: target.socket, port: 5432, user: target.user, database: target.database })
  }
  // As libpq takes a unix socket: postgres:///database?host=/var/run/postgresql
  const url = URL.canParse(target.url) ? new URL(target.url) : undefined
  const folder = url?.searchParams.get('host')
  if (!folder?.startsWith('/')) {
    const primary = wantsPrimary(target.url) && { target_session_attrs: 'primary' as const }
    return postgres(target.url, { ...options, ...hostsOf(target.url), ...primary })
  }
  url!.searchParams.delete('host')
  return postgres(url!.href, { ...options, host: folder })
}

/**
 * Of several hosts all connections have to be to the same one, which takes writes: a replica lags. The driver's "read-write"
 * takes a replica, and passes over a primary that is read-only for now.
 */
function wantsPrimary(url: string): boolean {
  return addressesOf(url).length > 1 || /[?&]target_session_attrs=/.test(url)
}
