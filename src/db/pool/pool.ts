// Opens a pool of connections, each used by one statement at a time.
//
// The driver's own pool is not used: it pipelines statements on busy connections, where a slow statement blocks those
// behind it; its queue is unlimited; and a connection that breaks during a write can stay broken (porsager/postgres
// #1154). Here each connection is a separate driver instance, discarded after any error that the statement did not
// cause.

import { usesPooler, openConnection, type Connection, type Parameter, type Target } from './connection.ts'
import { isConnectionUsable, DatabaseUnavailable, isRetryableConflict, isLockTimeout } from '../errors.ts'
import { trackBlockedStatements } from './blocked-statements.ts'
import { createConnectionQueue, type Statement } from './connection-queue.ts'
import { createConnectionShares } from './connection-shares.ts'
import { createIdleConnections } from './idle-connections.ts'
import { createFairLimit } from '../../runtime/fair-limit.ts'
import type { Owner } from './owner.ts'
import type { Plans } from './plan-settings.ts'
import { openPoolerConnection } from './pooler-connection.ts'

export interface RunOptions {
  /** Identifies statements that are blocked in one project only. */
  projectId?: string
  /** By default, the service itself. */
  owner?: Owner
  /** Called when the statement gets a connection. */
  onStart?: (() => void) | undefined
  /** By default, those of the pool. */
  plans?: Plans
  /** Identifies statements that a lock blocks together. By default, the text. */
  source?: string
}

export interface Runner {
  run<Row>(text: string, values?: readonly Parameter[], options?: RunOptions): Promise<Row[]>
}

/** Runs statements on behalf of an owner. `onStart` is called when a statement gets a connection, immediately if one is free. */
export function ownedBy(db: Runner, owner: Owner, onStart?: () => void): Runner {
  return { run: (text, values, options) => db.run(text, values, { ...options, owner, onStart }) }
}

export interface PoolCounts {
  readonly max: number
  readonly open: number
  readonly inUse: number
  readonly waiting: number
  /** Statements that waited because their owner already used its share of the connections. */
  readonly overShare: number
  /** Statements that were refused while they waited, to make room for one of an owner with fewer. */
  readonly displaced: number
}

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

export function openPool(
  { target, poolSize, statementTimeoutMs }: PoolOptions,
  plans: Plans,
): Runner & { readonly counts: PoolCounts; markActive(owner: Owner): void; close(): Promise<void> } {
  const settings = {
    statement_timeout: statementTimeoutMs,
    // Shorter, so that statements that wait for a lock do not starve those that wait for a connection; see
    // test/ci/faults/locks.
    lock_timeout: Math.ceil(statementTimeoutMs / 4),
  }
  const connect = usesPooler(target) ? openPoolerConnection : openConnection
  const open = new Set<Connection>()
  const idle = createIdleConnections()
  const queue = createConnectionQueue<Lease>(poolSize * waitersPerConnection, maxBlockedShare)
  const shares = createConnectionShares(poolSize)
  const blocked = trackBlockedStatements()
  const runningBlocked = createFairLimit(Math.max(1, Math.floor(poolSize * maxBlockedShare)))
  const maxWaitMs = statementTimeoutMs + responseGraceMs
  let overShare = 0
  let isClosed = false

  const hasFreeConnection = () => idle.size > 0 || open.size < poolSize
  const isInShare = (owner: string, count = 1) => shares.mayTake(owner, queue.hasOthers(owner), count)

  /** Blocked statements also leave one connection of their owner's share to its others. */
  function isEligible(statement: Statement): boolean {
    if (!blocked.isBlocked(statement)) return true
    const { owner } = statement
    return runningBlocked.free > 0 && (runningBlocked.held(owner) === 0 || isInShare(owner, 2))
  }

  function createLease(statement: Statement): Lease {
    const connection = idle.take(statement.plans) ?? openNew()
    const isBlocked = blocked.isBlocked(statement)
    if (isBlocked) runningBlocked.take(statement.owner)
    shares.take(statement.owner)
    statement.onStart?.()
    return { connection, isBlocked }
  }

  async function acquire(statement: Statement): Promise<Lease> {
    if (isClosed) throw new DatabaseUnavailable('the pool is closed')
    const inShare = isInShare(statement.owner)
    if (inShare && hasFreeConnection() && isEligible(statement)) return createLease(statement)
    if (!inShare && hasFreeConnection()) overShare++
    const turn = queue.wait(statement, blocked.isBlocked(statement))
    if (hasFreeConnection()) queue.retryLater(resumeWaiters)
    return turn
  }

  function openNew(): Connection {
    const connection: Connection = connect(target, plans, settings, () => remove(connection))
    open.add(connection)
    return connection
  }

  function remove(connection: Connection) {
    open.delete(connection)
    idle.remove(connection)
    resumeWaiters()
  }

  function release(connection: Connection) {
    if (connection.isFull) void connection.end(1)
    else if (open.has(connection)) idle.add(connection)
    resumeWaiters()
  }

  function resumeWaiters() {
    while (!isClosed && hasFreeConnection()) {
      const waiter = queue.next(isInShare, isEligible)
      if (!waiter) return queue.retryLater(resumeWaiters)
      waiter.resume(createLease(waiter.statement))
    }
  }

  async function runOnce<Row>(statement: Statement, values: readonly Parameter[]): Promise<Row[]> {
    const { connection, isBlocked } = await acquire(statement)
    const watchdog = setTimeout(connection.destroy, maxWaitMs, 'the database does not respond')
    try {
      const rows = await connection.run<Row>(statement.text, values, statement)
      blocked.clear(statement)
      return rows
    } catch (error) {
      if (isLockTimeout(error)) blocked.markBlocked(statement)
      if (!isConnectionUsable(error)) connection.destroy('an earlier statement lost the connection')
      throw error
    } finally {
      clearTimeout(watchdog)
      if (isBlocked) runningBlocked.release(statement.owner)
      shares.release(statement.owner)
      release(connection)
    }
  }

  return {
    markActive: shares.markActive,
    counts: {
      max: poolSize,
      get open() {
        return open.size
      },
      get inUse() {
        return open.size - idle.size
      },
      get waiting() {
        return queue.size
      },
      get overShare() {
        return overShare
      },
      get displaced() {
        return queue.displaced
      },
    },

    // Each statement is a transaction, which a conflict rolls back completely, so it is safe to run again.
    async run<Row>(text: string, values: readonly Parameter[] = [], options: RunOptions = {}) {
      const statement = { text, source: text, projectId: '', owner: 'service' as const, plans, ...options }
      for (let attempt = 1; ; attempt++) {
        try {
          return await runOnce<Row>(statement, values)
        } catch (error) {
          if (attempt === maxAttempts || !isRetryableConflict(error)) throw error
        }
      }
    },

    async close() {
      isClosed = true
      queue.close()
      await Promise.all([...open].map((connection) => connection.end(1)))
    },
  }
}
