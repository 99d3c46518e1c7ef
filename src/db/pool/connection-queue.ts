// Lends connections to statements, and queues those that wait for one; see pool.ts for the rule.

import { createRoundRobinQueue, type RoundRobinQueue } from '../../runtime/fairness.ts'
import { DatabaseUnavailable, Overloaded } from '../errors.ts'
import type { Connection } from './connection.ts'
import type { ConnectionShares, Owner, Statement } from './connection-shares.ts'

/** A connection that a statement uses. */
export interface Lease {
  connection: Connection
  giveBack(): void
}

/** The connections that are lent. */
interface Connections {
  hasFree(): boolean
  take(statement: Statement): Connection
}

interface Waiter {
  statement: Statement
  resume(lease: Lease): void
  refuse(reason: string): void
}

// Statements can wait although connections are free: until the other owners have been inactive for some time.
const retryMs = 100

function createQueue(max: number, maxBlocked: number, waitMs: number) {
  const all = createRoundRobinQueue<Waiter>()
  /** Those of them that were known to be blocked when they arrived. */
  const blocked = createRoundRobinQueue<Waiter>()
  /** How many statements were refused while they waited, to make room for one of an owner with fewer. */
  let displaced = 0

  /**
   * Refuses the statement if too many wait already, unless it displaces one of them. The few statements of the service
   * always wait: without them, all requests fail.
   */
  function makeRoom(waiting: RoundRobinQueue<Waiter>, limit: number, owner: Owner) {
    if (waiting.size < limit || owner === 'service') return
    const reason = 'too many statements are waiting for a connection'
    const countOf = (one: string) => waiting.byOwner.get(one)?.size ?? 0
    const owners = [...waiting.byOwner.keys()].filter((one) => one !== 'service')
    const most = owners.reduce((most, one) => (countOf(one) > countOf(most) ? one : most), owner)
    if (countOf(most) <= countOf(owner) + 1) throw new Overloaded(reason)
    displaced++
    ;[...waiting.byOwner.get(most)!].at(-1)!.refuse(reason)
  }

  return {
    get size() {
      return all.size
    },
    get displaced() {
      return displaced
    },
    next: all.next,

    /** Rejects if the queue is full, unless the statement displaces another. */
    async wait(statement: Statement, isBlocked: boolean): Promise<Lease> {
      const { owner } = statement
      const queues = isBlocked ? [all, blocked] : [all]
      if (isBlocked) makeRoom(blocked, maxBlocked, owner)
      makeRoom(all, max, owner)
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer)
          for (const queue of queues) queue.remove(owner, waiter)
        }
        const waiter: Waiter = {
          statement,
          resume(lease) {
            leave()
            resolve(lease)
          },
          refuse(reason) {
            leave()
            reject(new Overloaded(reason))
          },
        }
        const timer = setTimeout(waiter.refuse, waitMs, 'no connection became free in time')
        for (const queue of queues) queue.add(owner, waiter)
      })
    },

    refuseAll(reason: string) {
      for (const waiters of all.byOwner.values()) for (const { refuse } of waiters) refuse(reason)
    },
  }
}

/**
 * Statements that may not have a connection, or find none, wait. `maxBlocked` is the limit on those of them that are blocked by a
 * lock.
 */
export function createLending(
  connections: Connections,
  shares: ConnectionShares,
  { maxWaiting, maxBlocked, waitMs }: Record<'maxWaiting' | 'maxBlocked' | 'waitMs', number>,
) {
  const queue = createQueue(maxWaiting, maxBlocked, waitMs)
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
