// Opens one connection to the database: a driver instance with one socket, which is not replaced if it is lost. By
// default, the driver would reconnect silently even in the middle of a transaction, and in an endless loop if a proxy
// accepts connections and closes them because its database is down.

import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { urlPerHost, driverHosts } from '../database-url.ts'
import type { LogPosition } from './log-position.ts'
import { planSettings, trackPlans, type Plans } from './plan-settings.ts'
import { toDatabaseError, DatabaseUnavailable } from '../errors.ts'

/** `pooler` is set if a pooler in front of the server may use another connection for each transaction. */
export type Target = (
  { url: string; pooler?: 'transaction' | undefined } | { socket: string; user: string; database: string }
) & {
  /** True if Citus distributes the database over the nodes of a cluster. */
  isDistributed?: boolean
}

/** PostgreSQL settings for the session. They are not sent through a pooler, where clients share sessions. */
export type SessionSettings = Readonly<Record<string, string | number>>

export type Parameter = string | number | boolean | null

/** A result as PostgreSQL sends it: as text. */
export interface Result {
  /** Such as "UPDATE 3". */
  command: string
  /** Empty for a statement that returns no rows. */
  columns: { name: string; type: number }[]
  rows: (string | null)[][]
}

/** One connection, for several statements in a row. */
export interface Session {
  run<Row>(text: string, values?: readonly Parameter[]): Promise<Row[]>
  /** Runs several statements in one text, without parameters. */
  script(text: string): Promise<void>
  /** Runs any one statement. */
  query(text: string): Promise<Result>
}

export interface Connection extends Session {
  /** The plans that the session makes now. */
  readonly plans: Plans
  /** True if the session has prepared so many statements that it should be replaced; each takes up to 200 KB. */
  readonly isFull: boolean
  /** True if the session has parsed the statement, and has its plan if that is generic. */
  hasPrepared(text: string): boolean
  run<Row>(
    text: string,
    values?: readonly Parameter[],
    options?: { plans?: Plans; position?: LogPosition | undefined },
  ): Promise<Row[]>
  /** Closes it gracefully, and forcibly after the grace period. */
  end(graceSeconds: number): Promise<void>
  /** Closes it immediately; running statements fail. */
  destroy(reason: string): void
}

const connectTimeoutSeconds = 5
const maxPrepared = 100

// Set explicitly, because the server, database or role may have another default. At higher levels nothing is compacted,
// and a statement that waited for a lock does not see newer rows. The default for read-only transactions is not
// changed.
const isolationLevel = 'read committed' as const
/** Begins a transaction of several statements, or any transaction through a pooler. */
export const begin = `begin isolation level ${isolationLevel}`

// With several hosts, a new connection first tries the host where the last one succeeded. A host that is down may not
// respond at all, which would use up the connect timeout before the next host is tried.
const preferredHosts = new WeakMap<Target, number>()

// Times and JSON are passed through as text. The driver would turn a time into a Date, which has no microseconds and
// throws on some values, and would parse and print JSON again.
const passThrough = { serialize: (value: unknown) => value, parse: (value: unknown) => value }
const textTypes = {
  date: { to: 1184, from: [1082, 1114, 1184], ...passThrough },
  json: { to: 114, from: [114, 3802], ...passThrough },
}

export function openConnection(
  target: Target,
  initialPlans: Plans,
  settings: SessionSettings,
  onClose: () => void,
  maxPlanAgeMs?: number,
): Connection {
  const plans = trackPlans(initialPlans, maxPlanAgeMs)
  const prepared = new Set<string>()
  const sockets: Socket[] = []
  const waiting = new Set<(error: DatabaseUnavailable) => void>()
  const first = preferredHosts.get(target) ?? 0
  let current = first
  let hasSucceeded = false
  let failure: DatabaseUnavailable | undefined

  function destroy(reason: string) {
    if (failure) return
    failure = new DatabaseUnavailable(reason)
    for (const socket of sockets) socket.destroy()
    for (const fail of waiting) fail(failure)
    onClose()
  }

  /** Called by the driver, once for each host in the URL. */
  function openSocket({ host, port, path }: { host: string[]; port: number[]; path: string | false }): Socket {
    const count = host.length
    if (sockets.length === count) destroy(count > 1 ? 'no host is a reachable primary' : 'CONNECTION_CLOSED')
    if (failure) throw failure
    const at = (first + sockets.length) % count
    const socket = path ? connect(path) : connect(port[at]!, host[at]!)
    sockets.push(socket)
    if (count > 1) {
      current = at
      socket.once('close', () => hasSucceeded || preferredHosts.set(target, (at + 1) % count))
    }
    // TLS needs the host name.
    return Object.assign(socket, { host: host[at] })
  }

  const waitFor = <T>(statement: PromiseLike<T>) =>
    new Promise<T>((resolve, reject) => {
      if (failure) return reject(failure)
      waiting.add(reject)
      const succeeded = (rows: T) => {
        if (!hasSucceeded) preferredHosts.set(target, current)
        hasSucceeded = true
        resolve(withoutHoles(rows))
      }
      statement.then(succeeded, (error) => reject(toDatabaseError(error))).then(() => waiting.delete(reject))
    })

  const hasPooler = usesPooler(target)
  const options = {
    max: 1,
    socket: openSocket,
    connect_timeout: connectTimeoutSeconds,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    onclose: () => destroy('CONNECTION_CLOSED'),
    types: textTypes,
    connection: {
      application_name: 'workgate',
      TimeZone: 'UTC',
      ...(!hasPooler && { default_transaction_isolation: isolationLevel, ...planSettings(initialPlans), ...settings }),
    },
  } as const
  const sql = createDriver(target, options)
  // Otherwise the driver would send a text without values as a script, which is planned each time.
  const unsafeOptions: object = { prepare: !hasPooler, simple: false }
  return {
    get plans() {
      return plans.current
    },
    get isFull() {
      return prepared.size >= maxPrepared
    },
    hasPrepared: (text) => prepared.has(text),
    async run<Row>(text: string, values: readonly Parameter[] = [], options: { plans?: Plans } = {}) {
      const run = () => waitFor(sql.unsafe<Row[]>(text, [...values], unsafeOptions))
      if (hasPooler) return run()
      prepared.add(text)
      const settings = plans.use(options.plans ?? plans.current)
      if (settings === '') return run()
      // Sent together, so that the settings need no round trip of their own.
      const [, rows] = await Promise.all([waitFor(sql.unsafe(settings).simple()), run()])
      return rows
    },
    script: (text) => waitFor(sql.unsafe(text).simple()).then(() => {}),
    async query(text) {
      const result = await waitFor(sql.unsafe<Buffer[][]>(text).simple().raw())
      const { command, count, columns = [] } = result
      return {
        command: count === null ? command : `${command} ${count}`,
        columns: columns.map(({ name, type }) => ({ name, type })),
        rows: result.map((row) => row.map((value) => value && value.toString())),
      }
    },
    async end(graceSeconds) {
      await sql.end({ timeout: graceSeconds })
      destroy('the connection is closed')
    },
    destroy,
  }
}

/**
 * After a statement that failed between its rows, the driver begins the rows of the next one with as many holes; see
 * https://github.com/porsager/postgres/issues/1181
 */
function withoutHoles<T>(rows: T): T {
  if (!Array.isArray(rows) || rows.length === 0 || 0 in rows) return rows
  const holes = rows.findIndex((_, n) => n in rows)
  rows.splice(0, holes)
  return rows
}

export async function withConnection<T>(target: Target, use: (session: Session) => Promise<T>): Promise<T> {
  const connection = openConnection(target, 'custom', {}, () => {})
  try {
    return await use(connection)
  } finally {
    await connection.end(1)
  }
}

export function usesPooler(target: Target): boolean {
  return 'url' in target && target.pooler !== undefined
}

function createDriver(target: Target, options: postgres.Options<Record<string, postgres.PostgresType>>) {
  if ('socket' in target) {
    return postgres({ ...options, host: target.socket, port: 5432, user: target.user, database: target.database })
  }
  // A Unix socket in libpq's format: postgres:///database?host=/var/run/postgresql
  const url = URL.canParse(target.url) ? new URL(target.url) : undefined
  const folder = url?.searchParams.get('host')
  if (!folder?.startsWith('/')) {
    const primary = requiresPrimary(target.url) && { target_session_attrs: 'primary' as const }
    return postgres(target.url, { ...options, ...driverHosts(target.url), ...primary })
  }
  url!.searchParams.delete('host')
  return postgres(url!.href, { ...options, host: folder })
}

/**
 * With several hosts, all connections must go to the primary: a replica lags. The driver's "read-write" is not used: it
 * accepts a replica, and skips a primary that is temporarily read-only.
 */
function requiresPrimary(url: string): boolean {
  return urlPerHost(url).length > 1 || /[?&]target_session_attrs=/.test(url)
}
