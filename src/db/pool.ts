// Opens a pool of connections, each used by one statement at a time.
//
// The driver's own pool is not used: it pipelines statements on busy connections, where a slow statement blocks those
// behind it; its queue is unlimited; and a connection that breaks during a write can stay broken (porsager/postgres
// #1154). Here each connection is a separate driver instance, discarded after any error that the statement did not
// cause.

import { usesPooler, openConnection, type Connection, type Parameter, type Target } from './connection.ts'
import { isConnectionUsable, DatabaseUnavailable, isRetryableConflict, isLockTimeout } from './errors.ts'
import { trackBlockedStatements, type StatementKey } from './blocked-statements.ts'
import { openPoolerConnection } from './pooler-connection.ts'

export interface Runner {
  /** `projectId` identifies statements that are blocked in one project only. */
  run<Row>(text: string, values?: readonly Parameter[], projectId?: string): Promise<Row[]>
}

export interface PoolCounts {
  readonly max: number
  readonly open: number
  readonly inUse: number
  readonly waiting: number
}

export const waitForConnectionMs = 3_000
const waitersPerConnection = 50
/** Statements that are blocked by a lock get at most this share of the connections and of the queue. */
const maxBlockedShare = 0.75
const maxAttempts = 5
// PostgreSQL cancels slow statements itself. If it does not respond at all, the connection is closed this much later.
const responseGraceMs = 2_000

export interface PoolOptions {
  target: Target
  poolSize: number
  statementTimeoutMs: number
}

interface Lease {
  connection: Connection
  isBlocked: boolean
}

interface Waiter extends StatementKey {
  resume(lease?: Lease): void
}

export const planSettings = (plans: 'force_custom_plan' | 'force_generic_plan') => ({
  // By default, PostgreSQL may run a statement with a plan that was made for other filters; see test/ci/plans.
  plan_cache_mode: plans,
  jit: 'off',
  // Starting parallel workers takes longer than these statements should.
  max_parallel_workers_per_gather: '0',
})

export function openPool(
  { target, poolSize, statementTimeoutMs }: PoolOptions,
  plans: Parameters<typeof planSettings>[0],
): Runner & { readonly counts: PoolCounts; close(): Promise<void> } {
  const settings = {
    statement_timeout: statementTimeoutMs,
    // Shorter, so that statements that wait for a lock do not starve those that wait for a connection; see
    // test/ci/faults/locks.
    lock_timeout: Math.ceil(statementTimeoutMs / 4),
    ...planSettings(plans),
  }
  const connect = usesPooler(target) ? openPoolerConnection : openConnection
  const open = new Set<Connection>()
  const idle: Connection[] = []
  const waiting = new Set<Waiter>()
  const blocked = trackBlockedStatements()
  const maxWaiting = poolSize * waitersPerConnection
  const maxBlocked = Math.max(1, Math.floor(poolSize * maxBlockedShare))
  let runningBlocked = 0
  let isClosed = false

  const canLease = (statement: StatementKey) =>
    (idle.length > 0 || open.size < poolSize) && (runningBlocked < maxBlocked || !blocked.isBlocked(statement))

  function createLease(statement: StatementKey): Lease {
    const isBlocked = blocked.isBlocked(statement)
    runningBlocked += Number(isBlocked)
    return { connection: idle.pop() ?? openNew(), isBlocked }
  }

  async function acquire(statement: StatementKey): Promise<Lease> {
    if (isClosed) throw new DatabaseUnavailable('the pool is closed')
    if (canLease(statement)) return createLease(statement)
    const isFull = waiting.size >= maxWaiting * (blocked.isBlocked(statement) ? maxBlockedShare : 1)
    if (isFull) throw new DatabaseUnavailable('too many statements are waiting for a connection')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiter.resume(), waitForConnectionMs)
      const waiter: Waiter = {
        ...statement,
        resume(lease) {
          waiting.delete(waiter)
          clearTimeout(timer)
          if (lease) resolve(lease)
          else reject(new DatabaseUnavailable('no connection became free in time'))
        },
      }
      waiting.add(waiter)
    })
  }

  function openNew(): Connection {
    const connection: Connection = connect(target, settings, () => remove(connection))
    open.add(connection)
    return connection
  }

  function remove(connection: Connection) {
    open.delete(connection)
    const index = idle.indexOf(connection)
    if (index >= 0) idle.splice(index, 1)
    resumeWaiters()
  }

  function release(connection: Connection) {
    if (!open.has(connection)) return
    idle.push(connection)
    resumeWaiters()
  }

  function resumeWaiters() {
    if (isClosed) return
    for (const waiter of waiting) {
      if (idle.length === 0 && open.size >= poolSize) return
      if (canLease(waiter)) waiter.resume(createLease(waiter))
    }
  }

  async function runOnce<Row>(text: string, values: readonly Parameter[], projectId: string): Promise<Row[]> {
    const statement = { text, projectId }
    const { connection, isBlocked } = await acquire(statement)
    const watchdog = setTimeout(
      connection.destroy,
      statementTimeoutMs + responseGraceMs,
      'the database does not respond',
    )
    try {
      const rows = await connection.run<Row>(text, values)
      blocked.clear(statement)
      return rows
    } catch (error) {
      if (isLockTimeout(error)) blocked.markBlocked(statement)
      if (!isConnectionUsable(error)) connection.destroy('an earlier statement lost the connection')
      throw error
    } finally {
      clearTimeout(watchdog)
      runningBlocked -= Number(isBlocked)
      release(connection)
    }
  }

  return {
    counts: {
      max: poolSize,
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

    // Each statement is a transaction, which a conflict rolls back completely, so it is safe to run again.
    async run<Row>(text: string, values: readonly Parameter[] = [], projectId = '') {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runOnce<Row>(text, values, projectId)
        } catch (error) {
          if (attempt === maxAttempts || !isRetryableConflict(error)) throw error
        }
      }
    },

    async close() {
      isClosed = true
      for (const { resume } of waiting) resume()
      await Promise.all([...open].map((connection) => connection.end(1)))
    },
  }
}
