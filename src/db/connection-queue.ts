// Queues statements that wait for a connection. Owners take turns. If the queue is full, a statement of an owner with
// few waiting statements displaces the latest statement of the owner with the most.

import { createTurns } from '../runtime/turns.ts'
import type { StatementKey } from './blocked-statements.ts'
import type { Owner } from './connection-shares.ts'
import { DatabaseUnavailable } from './errors.ts'

export interface Statement extends StatementKey {
  owner: Owner
  /** Called when the statement gets a connection. */
  onStart?: (() => void) | undefined
}

interface Waiter<Lease> {
  statement: Statement
  resume(lease: Lease): void
  refuse(reason: string): void
}

export const waitForConnectionMs = 3_000
const retryMs = 100

const tooMany = 'too many statements are waiting for a connection'

export function createConnectionQueue<Lease>() {
  const turns = createTurns<Waiter<Lease>>()
  let displaced = 0
  let retryTimer: NodeJS.Timeout | undefined

  function makeRoom({ owner }: Statement) {
    const most = turns.latestOfMost()
    if (!most || most.count <= turns.count(owner.id) + 1) throw new DatabaseUnavailable(tooMany)
    displaced++
    most.item.refuse(tooMany)
  }

  return {
    get size() {
      return turns.size
    },
    get displaced() {
      return displaced
    },
    hasOthers: turns.hasOthers,

    /** Rejects if the queue has this many statements already, unless the new one displaces another. */
    async wait(statement: Statement, maxWaiting: number): Promise<Lease> {
      if (turns.size >= maxWaiting) makeRoom(statement)
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer)
          turns.remove(statement.owner.id, waiter)
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
        turns.add(statement.owner.id, waiter)
      })
    },

    next: (mayTakeTurn: (owner: string) => boolean, isEligible: (statement: Statement) => boolean) =>
      turns.next(mayTakeTurn, ({ statement }) => isEligible(statement)),

    /** Statements can wait although connections are free: until the other owners have been inactive for some time. */
    retryLater(resumeWaiters: () => void) {
      if (turns.size === 0) return
      retryTimer ??= setTimeout(() => {
        retryTimer = undefined
        resumeWaiters()
      }, retryMs)
    },

    close() {
      clearTimeout(retryTimer)
      for (const { refuse } of turns.items()) refuse('the pool is closed')
    },
  }
}
