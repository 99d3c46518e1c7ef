// Queues statements that wait for a connection; see pool.ts for the rule.

import { createRoundRobinQueue, type RoundRobinQueue } from '../../runtime/fairness.ts'
import { Overloaded } from '../errors.ts'
import type { Connection } from './connection.ts'
import type { Statement } from './connection-shares.ts'
import type { Owner } from './owner.ts'

/** A connection that a statement uses. */
export interface Lease {
  connection: Connection
  giveBack(): void
}

interface Waiter {
  statement: Statement
  resume(lease: Lease): void
  refuse(reason: string): void
}

/** `maxBlocked` is the limit on statements that are blocked by a lock. */
export function createConnectionQueue(max: number, maxBlocked: number, waitMs: number) {
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
