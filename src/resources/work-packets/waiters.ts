// Keeps the long polls that wait, and limits their number, for each key and in total.

import type { Caller } from '../../api/endpoint.ts'
import { unavailable } from '../../api/problems/problem.ts'
import { createFairLimit } from '../../runtime/fair-limit.ts'
import { catalogMetric } from '../../runtime/metrics/catalog.ts'
import type { ObservedTask } from './changed-tasks.ts'
import type { Verification } from './expectations.ts'
import { groupBy, type Group } from './group-by.ts'
import type { DigestedPacket } from './packets.ts'

export interface LongPoll extends ObservedTask, Pick<Caller, 'key' | 'recheck' | 'onDisconnect'> {
  /** The verification from the last read of the task. */
  verification: Verification
  verify(found: DigestedPacket): Verification
  seconds: number
}

export interface LongPollResult {
  verification: Verification
  /** When the database confirmed the verification. */
  at: string
}

export interface Waiter extends LongPoll {
  deadline: number
  resolve(result: LongPollResult): void
  reject(error: unknown): void
}

const maxTasksPerStatement = 50

export function createWaiters(max: number) {
  const all = new Set<Waiter>()
  const places = createFairLimit(max)
  let refused = 0

  return {
    all: all as ReadonlySet<Waiter>,
    metrics: () => [
      catalogMetric('workgate_waiters', all.size),
      catalogMetric('workgate_waiters_refused_total', refused),
    ],

    /** Throws if too many long polls are waiting, of the same key or in total. */
    add(poll: LongPoll, resolve: Waiter['resolve'], reject: Waiter['reject']): Waiter {
      const keyId = poll.key.id
      if (!places.mayTake(keyId)) {
        refused++
        throw unavailable('Too many requests are already waiting. Try again in a moment, or without wait.')
      }
      const removeAnd =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          if (all.delete(waiter)) places.release(keyId)
          settle(value)
        }
      const waiter: Waiter = {
        ...poll,
        deadline: performance.now() + poll.seconds * 1_000,
        resolve: removeAnd(resolve),
        reject: removeAnd(reject),
      }
      all.add(waiter)
      places.take(keyId)
      return waiter
    },

    /** The key with the fewest long polls. A key with many does not delay those of others for the same tasks. */
    keyOf(batch: Group<Waiter>): string {
      const keyIds = batch.map(({ key }) => key.id)
      return keyIds.reduce((fewest, keyId) => (places.held(keyId) < places.held(fewest) ? keyId : fewest))
    },
  }
}

export const taskKey = ({ projectId, taskId }: Waiter) => `${projectId} ${taskId}`

/** Each batch contains waiters of one project, with no more tasks than one statement reads. */
export function splitIntoBatches(waiters: Iterable<Waiter>): Group<Waiter>[] {
  const byTask = groupBy(waiters, taskKey)
  const taskCounts = new Map<string, number>()
  const batches = groupBy(byTask, ([{ projectId }]) => {
    const index = taskCounts.get(projectId) ?? 0
    taskCounts.set(projectId, index + 1)
    return `${projectId} ${Math.floor(index / maxTasksPerStatement)}`
  })
  return batches.map((batch) => batch.flat() as Group<Waiter>)
}
