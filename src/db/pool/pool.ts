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

import { DatabaseUnavailable, isConnectionUsable, isLockTimeout, isRetryable } from '../errors.ts'
import { openConnection, usesPooler, type Connection, type Parameter, type Target } from './connection.ts'
import { createConnectionQueue, type Lease } from './connection-queue.ts'
import { createConnectionShares, type ConnectionShares, type Statement } from './connection-shares.ts'
import { createOpenConnections, type OpenConnections } from './open-connections.ts'
import type { Owner } from './owner.ts'
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
}

export const waitForConnectionMs = 3_000
const waitersPerConnection = 50
/** Statements that are blocked by a lock get at most this share of the connections and of the queue. */
const maxBlockedShare = 0.75
// Statements can wait although connections are free: until the other owners have been inactive for some time.
const retryMs = 100
// PostgreSQL cancels slow statements itself. If it does not respond at all, the connection is closed this much later.
const responseGraceMs = 2_000

/** `maxAttempts` is the limit on how often a statement runs again because it conflicted with others. */
export function openPool(
  { target, poolSize, statementTimeoutMs }: PoolOptions,
  plans: Plans,
  { connect = usesPooler(target) ? openPoolerConnection : openConnection, maxAttempts = 5 } = {},
) {
  const settings = {
    statement_timeout: statementTimeoutMs,
    // Shorter, so that statements that wait for a lock do not starve those that wait for a connection; see
    // test/ci/faults/locks.
    lock_timeout: Math.ceil(statementTimeoutMs / 4),
  }
  const open = (onClose: () => void) => connect(target, plans, settings, onClose)
  const connections = createOpenConnections(poolSize, open, () => lending.startWaiting())
  const shares = createConnectionShares(poolSize, Math.max(1, Math.floor(poolSize * maxBlockedShare)))
  const lending = createLending(connections, shares, poolSize * waitersPerConnection)
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

/** Lends the connections to statements. Those that may not have one, or find none, wait. */
function createLending(connections: OpenConnections, shares: ConnectionShares, maxWaiting: number) {
  const queue = createConnectionQueue(maxWaiting, maxWaiting * maxBlockedShare, waitForConnectionMs)
  let retryTimer: NodeJS.Timeout | undefined
  /** How many statements waited because their owner already used its share of the connections. */
  let overShare = 0
  let isClosed = false

  function start(statement: Statement): Lease {
    const connection = connections.take(statement)
    const giveBack = shares.take(statement)
    statement.onStart?.()
    return { connection, giveBack }
  }

  function startWaiting() {
    while (connections.hasFree()) {
      const waiter = queue.next(shares.isInShare, ({ statement }) => shares.isEligible(statement))
      if (!waiter) return retryLater()
      waiter.resume(start(waiter.statement))
    }
  }

  function retryLater() {
    if (queue.size === 0 || !connections.hasFree()) return
    retryTimer ??= setTimeout(() => {
      retryTimer = undefined
      startWaiting()
    }, retryMs)
  }

  return {
    startWaiting,

    async acquire(statement: Statement): Promise<Lease> {
      if (isClosed) throw new DatabaseUnavailable('the pool is closed')
      const isInShare = shares.isInShare(statement.owner)
      if (connections.hasFree()) {
        if (isInShare && shares.isEligible(statement)) return start(statement)
        if (!isInShare) overShare++
      }
      const turn = queue.wait(statement, shares.isBlocked(statement))
      retryLater()
      return turn
    },

    counts: () => ({ waiting: queue.size, overShare, displaced: queue.displaced }),

    /** Statements that wait fail, and later ones. */
    close() {
      isClosed = true
      clearTimeout(retryTimer)
      queue.refuseAll('the pool is closed')
    },
  }
}
