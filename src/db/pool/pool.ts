// Opens a pool of connections, each used by one statement at a time, and shares them fairly between the owners of the
// statements: keys, addresses of clients without a verified key, and the service itself.
//
// 1. While other owners are active, an owner may use another connection only while it uses less than a quarter of those
//    that are free; otherwise it may use all of them.
// 2. Other owners are active while their statements run or wait, and keys for one second longer; the service does not
//    count.
// 3. A statement that cannot get a connection waits for at most 3 seconds, and owners take turns.
// 4. If 50 statements per connection wait, a statement of an owner with few displaces the latest of the owner with the
//    most, and is refused otherwise; those of the service always wait.
// 5. A statement that timed out while it waited for a lock is blocked until it succeeds again: blocked statements get at
//    most three quarters of the connections and of the queue, and leave one connection of their owner's share to its
//    other statements.
//
// The driver's own pool is not used: it pipelines statements on busy connections, where a slow statement blocks those
// behind it; its queue is unlimited; and a connection that breaks during a write can stay broken (porsager/postgres
// #1154). Here each connection is a separate driver instance, discarded after any error that the statement did not
// cause.

import { isConnectionUsable, isLockTimeout, isRetryable } from '../errors.ts'
import { openConnection, usesPooler, type Connection, type Parameter, type Target } from './connection.ts'
import { createLending } from './connection-queue.ts'
import { createConnectionShares, type Statement, type Owner } from './connection-shares.ts'
import type { Plans } from './plan-settings.ts'
import type { LogPosition } from './log-position.ts'
import { openPoolerConnection } from './pooler-connection.ts'

export type { Plans, LogPosition }

export type RunOptions = Partial<Omit<Statement, 'text'>>

export interface Runner {
  run<Row>(text: string, values?: readonly Parameter[], options?: RunOptions): Promise<Row[]>
}

/** Runs statements on behalf of an owner. `onStart` is called when a statement gets a connection, immediately if one is free. */
export const ownedBy = ({ run }: Runner, owner: Owner, onStart?: () => void): Runner => ({
  run: (text, values, options) => run(text, values, { ...options, owner, onStart }),
})

export type Pool = ReturnType<typeof openPool>

export interface PoolOptions {
  target: Target
  poolSize: number
  statementTimeoutMs: number
  /** Other sessions see it. */
  applicationName?: string
}

export const waitForConnectionMs = 3_000
const waitersPerConnection = 50
/** Statements that are blocked by a lock get at most this share of the connections and of the queue. */
const maxBlockedShare = 0.75
// PostgreSQL cancels slow statements itself. If it does not respond at all, the connection is closed this much later.
const responseGraceMs = 2_000

/** `maxAttempts` is the limit on how often a statement runs again because it conflicted with others. */
export function openPool(
  { target, poolSize, statementTimeoutMs, applicationName }: PoolOptions,
  plans: Plans,
  { connect = usesPooler(target) ? openPoolerConnection : openConnection, maxAttempts = 5 } = {},
) {
  const open = (onClose: () => void) =>
    connect(
      target,
      plans,
      {
        ...settingsFor(statementTimeoutMs),
        ...(applicationName !== undefined && { application_name: applicationName }),
      },
      onClose,
    )
  const connections = createOpenConnections(poolSize, open, () => lending.startWaiting())
  const shares = createConnectionShares(poolSize, Math.max(1, Math.floor(poolSize * maxBlockedShare)))
  const maxWaiting = poolSize * waitersPerConnection
  const lending = createLending(connections, shares, {
    maxWaiting,
    maxBlocked: maxWaiting * maxBlockedShare,
    waitMs: waitForConnectionMs,
  })
  const maxRunMs = statementTimeoutMs + responseGraceMs

  async function runOnce<Row>(statement: Statement, values: readonly Parameter[]): Promise<Row[]> {
    shares.enter(statement.owner)
    try {
      const { connection, giveBack } = await lending.acquire(statement)
      return await runOn<Row>(connection, statement, values).finally(giveBack)
    } finally {
      shares.leave(statement.owner)
      lending.startWaiting()
    }
  }

  async function runOn<Row>(connection: Connection, statement: Statement, values: readonly Parameter[]) {
    const watchdog = setTimeout(connection.destroy, maxRunMs, 'the database does not respond')
    try {
      const rows = await connection.run<Row>(statement.text, values, statement)
      shares.clearBlocked(statement)
      return rows
    } catch (error) {
      if (isLockTimeout(error)) shares.markBlocked(statement)
      if (!isConnectionUsable(error)) connection.destroy('an earlier statement lost the connection')
      throw error
    } finally {
      clearTimeout(watchdog)
      connections.putBack(connection)
    }
  }

  return {
    /** Keeps connections free for a key that has sent a request. */
    markActive: shares.markActive,
    get counts() {
      return { max: poolSize, open: connections.all.size, inUse: connections.countInUse(), ...lending.counts() }
    },

    // Each statement is a transaction, which a conflict rolls back completely, so it is safe to run again.
    async run<Row>(text: string, values: readonly Parameter[] = [], options: RunOptions = {}): Promise<Row[]> {
      const statement: Statement = { text, source: text, projectId: '', owner: 'service', plans, ...options }
      for (let attempt = 1; ; attempt++) {
        try {
          return await runOnce<Row>(statement, values)
        } catch (error) {
          if (attempt === maxAttempts || !isRetryable(error)) throw error
        }
      }
    },

    /** Running statements fail. Later ones get new connections. */
    closeConnections(reason: string) {
      for (const connection of connections.all) connection.destroy(reason)
    },

    async close() {
      lending.close()
      await Promise.all([...connections.all].map((connection) => connection.end(1)))
    },
  }
}

const settingsFor = (statementTimeoutMs: number) => ({
  statement_timeout: statementTimeoutMs,
  // Shorter, so that statements that wait for a lock do not starve those that wait for a connection; see test/ci/faults/locks.
  lock_timeout: Math.ceil(statementTimeoutMs / 4),
})

/** `onClose` is called after a connection has closed. */
function createOpenConnections(max: number, connect: (onClose: () => void) => Connection, onClose: () => void) {
  const open = new Set<Connection>()
  /** The one that was used last is at the end. */
  const idle = new Set<Connection>()

  /**
   * Prefers a connection that has prepared the statement, one that makes such plans, so that few need to be switched, and
   * the one that was used last.
   */
  function takeIdle({ text, plans }: Statement): Connection | undefined {
    const connections = [...idle]
    const suitable = connections.filter((one) => one.plans === plans)
    const connection =
      suitable.findLast((one) => one.hasPrepared(text)) ??
      connections.findLast((one) => one.hasPrepared(text)) ??
      suitable.at(-1) ??
      connections.at(-1)
    if (connection) idle.delete(connection)
    return connection
  }

  function openNew(): Connection {
    const connection: Connection = connect(() => {
      open.delete(connection)
      idle.delete(connection)
      onClose()
    })
    open.add(connection)
    return connection
  }

  return {
    all: open as ReadonlySet<Connection>,
    countInUse: () => open.size - idle.size,
    hasFree: () => idle.size > 0 || open.size < max,
    /** Call it only if one is free. */
    take: (statement: Statement): Connection => takeIdle(statement) ?? openNew(),
    putBack(connection: Connection) {
      if (connection.isFull) void connection.end(1)
      else if (open.has(connection)) idle.add(connection)
    },
  }
}
