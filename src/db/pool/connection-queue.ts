// Queues statements that wait for a connection. Owners take turns. If the queue is full, a statement of an owner with
// few waiting statements displaces the latest statement of the owner with the most. The few statements of the service
// itself always wait: without them, all requests fail.

import { createRoundRobinQueue, type RoundRobinQueue } from '../../runtime/round-robin-queue.ts'
import type { StatementKey } from './blocked-statements.ts'
import { DatabaseUnavailable } from '../errors.ts'
import type { Owner } from './owner.ts'
import type { Plans } from './plan-settings.ts'

export interface Statement extends StatementKey {
  text: string
  owner: Owner
  /** Called when the statement gets a connection. */
  onStart?: (() => void) | undefined
  plans: Plans
}

interface Waiter<Lease> {
  statement: Statement
  resume(lease: Lease): void
  refuse(reason: string): void
}

export const waitForConnectionMs = 3_000
const retryMs = 100

/** Statements that are blocked by a lock get at most `maxBlockedShare` of the places. */
export function createConnectionQueue<Lease>(max: number, maxBlockedShare: number) {
  const all = createRoundRobinQueue<Waiter<Lease>>()
  /** Those of them that were known to be blocked when they arrived. */
  const blocked = createRoundRobinQueue<Waiter<Lease>>()
  let displaced = 0
  let retryTimer: NodeJS.Timeout | undefined

  /** Refuses the statement if these are too many, unless it displaces one of them. */
  function makeRoom(waiting: RoundRobinQueue<Waiter<Lease>>, max: number, owner: Owner) {
    if (waiting.size < max || owner === 'service') return
    const tooMany = 'too many statements are waiting for a connection'
    const most = waiting.latestOfMost('service')
    if (!most || most.count <= waiting.count(owner) + 1) throw new DatabaseUnavailable(tooMany)
    displaced++
    most.item.refuse(tooMany)
  }

  return {
    get size() {
      return all.size
    },
    get displaced() {
      return displaced
    },
    /** True if statements of another owner wait, apart from the service. */
    hasOthers: (owner: string) => all.hasOthers(owner, 'service'),

    /** Rejects if the queue is full, unless the statement displaces another. */
    async wait(statement: Statement, isBlocked: boolean): Promise<Lease> {
      const { owner } = statement
      if (isBlocked) makeRoom(blocked, max * maxBlockedShare, owner)
      makeRoom(all, max, owner)
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer)
          all.remove(owner, waiter)
          blocked.remove(owner, waiter)
        }
        const waiter: Waiter<Lease> = {
          statement,
          resume(lease) {
            leave()
            resolve(lease)
          },
          refuse(reason) {
            leave()
            reject(new DatabaseUnavailable(reason))
          },
        }
        const timer = setTimeout(() => waiter.refuse('no connection became free in time'), waitForConnectionMs)
        all.add(owner, waiter)
        if (isBlocked) blocked.add(owner, waiter)
      })
    },

    next: (mayTakeTurn: (owner: string) => boolean, isEligible: (statement: Statement) => boolean) =>
      all.next(mayTakeTurn, ({ statement }) => isEligible(statement)),

    /** Statements can wait although connections are free: until the other owners have been inactive for some time. */
    retryLater(resumeWaiters: () => void) {
      if (all.size === 0) return
      retryTimer ??= setTimeout(() => {
        retryTimer = undefined
        resumeWaiters()
      }, retryMs)
    },

    close() {
      clearTimeout(retryTimer)
      for (const { refuse } of all.items()) refuse('the pool is closed')
    },
  }
}
