// A pool of connections, each used by one statement at a time.
//
// The driver's own pool is not used: it sends statements down connections that are busy, so a slow one holds up those
// behind it; it has no bound on what waits; and a connection that breaks during a write can stay broken
// (porsager/postgres #1154). Here each connection is a driver of its own, thrown away at the first doubt.

import { isPooled, openConnection, type Connection, type Parameter, type Target } from './connection.ts'
import { connectionSurvives, DatabaseUnavailable, isRetryableConflict, isLockTimeout } from './errors.ts'
import { trackBlockedStatements, type StatementKey } from './blocked-statements.ts'
import { openPooled } from './pooler-connection.ts'

export interface Runner {
  /** Of a project, if one is named. */
  run<Row>(text: string, values?: readonly Parameter[], projectId?: string): Promise<Row[]>
}

export interface PoolCounts {
  readonly most: number
  readonly open: number
  readonly inUse: number
  readonly waiting: number
}

export const waitForConnectionMs = 3_000
const waitersPerConnection = 50
const maxBlockedShare = 0.75
const maxAttempts = 5
// PostgreSQL ends a statement that takes too long. This is for one that cannot answer at all.
const silenceMs = 2_000

export interface PoolOptions {
  target: Target
  poolSize: number
  statementTimeoutMs: number
}

interface Loan {
  connection: Connection
  isBlocked: boolean
}

interface Waiter extends StatementKey {
  resume(loan?: Loan): void
}

/** Whether a statement is planned for its parameters each time, and how plans are made. */
export const planning = (plans: 'force_custom_plan' | 'force_generic_plan') => ({
  // Where it is not forced, a filter may run on a plan made for another filter; see "plans" in test/sql.
  plan_cache_mode: plans,
  jit: 'off',
  // To start workers takes longer than a statement of ours may take.
  max_parallel_workers_per_gather: '0',
})

export function openPool(
  { target, poolSize, statementTimeoutMs }: PoolOptions,
  plans: Parameters<typeof planning>[0],
): Runner & { readonly counts: PoolCounts; close(): Promise<void> } {
  const settings = {
    statement_timeout: statementTimeoutMs,
    // Shorter, so that what waits for a lock does not hold up what waits for a connection; see test/ci/faults/locks.
    lock_timeout: Math.ceil(statementTimeoutMs / 4),
    ...planning(plans),
  }
  const connect = isPooled(target) ? openPooled : openConnection
  const open = new Set<Connection>()
  const idle: Connection[] = []
  const waiting = new Set<Waiter>()
  const blocked = trackBlockedStatements()
  const places = poolSize * waitersPerConnection
  // What waits for locks in vain leaves some connections, and some places to wait for one, to the rest.
  const maxBlocked = Math.max(1, Math.floor(poolSize * maxBlockedShare))
  let runningBlocked = 0
  let closed = false

  const mayHaveOne = (statement: StatementKey) =>
    (idle.length > 0 || open.size < poolSize) && (runningBlocked < maxBlocked || !blocked.is(statement))

  function lend(statement: StatementKey): Loan {
    const isBlocked = blocked.is(statement)
    runningBlocked += Number(isBlocked)
    return { connection: idle.pop() ?? openAnother(), isBlocked }
  }

  async function take(statement: StatementKey): Promise<Loan> {
    if (closed) throw new DatabaseUnavailable('the pool is closed')
    if (mayHaveOne(statement)) return lend(statement)
    const isFull = waiting.size >= places * (blocked.is(statement) ? maxBlockedShare : 1)
    if (isFull) throw new DatabaseUnavailable('too many statements wait')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiter.resume(), waitForConnectionMs)
      const waiter: Waiter = {
        ...statement,
        resume(loan) {
          waiting.delete(waiter)
          clearTimeout(timer)
          if (loan) resolve(loan)
          else reject(new DatabaseUnavailable('no connection became free in time'))
        },
      }
      waiting.add(waiter)
    })
  }

  function openAnother(): Connection {
    const connection: Connection = connect(target, settings, () => forget(connection))
    open.add(connection)
    return connection
  }

  function forget(connection: Connection) {
    open.delete(connection)
    const at = idle.indexOf(connection)
    if (at >= 0) idle.splice(at, 1)
    serveWaiting()
  }

  function give(connection: Connection) {
    if (!open.has(connection)) return
    idle.push(connection)
    serveWaiting()
  }

  function serveWaiting() {
    if (closed) return
    for (const waiter of waiting) {
      if (idle.length === 0 && open.size >= poolSize) return
      if (mayHaveOne(waiter)) waiter.resume(lend(waiter))
    }
  }

  async function runOnce<Row>(text: string, values: readonly Parameter[], projectId: string): Promise<Row[]> {
    const statement = { text, projectId }
    const { connection, isBlocked } = await take(statement)
    const silence = setTimeout(connection.lose, statementTimeoutMs + silenceMs, 'the database does not answer')
    try {
      const rows = await connection.run<Row>(text, values)
      blocked.clear(statement)
      return rows
    } catch (error) {
      if (isLockTimeout(error)) blocked.note(statement)
      if (!connectionSurvives(error)) connection.lose('a statement before this one lost the connection')
      throw error
    } finally {
      clearTimeout(silence)
      runningBlocked -= Number(isBlocked)
      give(connection)
    }
  }

  return {
    counts: {
      most: poolSize,
      get open() {
        return open.size
      },
      get inUse() {
        return open.size - idle.length
      },
      get waiting() {
        return waiting.size
      },
    },

    // A statement is a transaction: of one that gave way to another nothing is left, and the next run comes after the other.
    async run<Row>(text: string, values: readonly Parameter[] = [], projectId = '') {
      for (let runs = 1; ; runs++) {
        try {
          return await runOnce<Row>(text, values, projectId)
        } catch (error) {
          if (runs === maxAttempts || !isRetryableConflict(error)) throw error
        }
      }
    },

    async close() {
      closed = true
      for (const { resume } of waiting) resume()
      await Promise.all([...open].map((connection) => connection.end(1)))
    },
  }
}
