// Holds long polls until their tasks meet the expectations. One loop watches the tasks of all long polls, and runs only
// while there are any. It polls the database, so it sees changes through any channel, with any number of instances, and
// behind any connection pooler.

import type { Runner } from '../../db/pool/pool.ts'
import type { ConfirmedVersion, Freshness } from '../../api/freshness/freshness.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { findChanged } from './changed-tasks.ts'
import { groupBy, type Group } from './group-by.ts'
import { findPackets, type GetPacket } from './packets.ts'
import { createWaiters, splitIntoBatches, taskKey, type LongPoll, type LongPollResult, type Waiter } from './waiters.ts'

export type LongPolls = ReturnType<typeof createLongPolls>

export const pollIntervalMs = 100
// Leaves connections free for other requests.
const maxConcurrent = 4

export function createLongPolls(db: Runner, freshness: Freshness, maxWaiters: number) {
  const waiters = createWaiters(maxWaiters)
  /** Tasks that are being read, so that a slow read does not block the waiters of other tasks. */
  const tasksInProgress = new Set<string>()
  const limitReads = limitConcurrency(maxConcurrent)
  const limitKeyChecks = limitConcurrency(maxConcurrent)
  let isWatching = false
  let hasEnded = false
  let wake = () => {}

  async function watch() {
    isWatching = true
    while (waiters.all.size > 0) {
      await pause()
      await pollOnce().catch((error: unknown) => rejectAll(waiters.all, error))
    }
    isWatching = false
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollIntervalMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function pollOnce() {
    const now = performance.now()
    const idle = [...waiters.all].filter((waiter) => !tasksInProgress.has(taskKey(waiter)))
    const timedOut = new Set(idle.filter(({ deadline }) => hasEnded || deadline <= now))
    const { changed, confirmed } = await findChanged(db, freshness, idle)
    for (const batch of splitIntoBatches(new Set([...timedOut, ...changed]))) {
      void readTasks(batch, timedOut, confirmed.get(batch[0].projectId)!)
    }
  }

  async function readTasks(batch: Group<Waiter>, timedOut: ReadonlySet<Waiter>, confirmed: ConfirmedVersion) {
    const taskKeys = batch.map(taskKey)
    for (const key of taskKeys) tasksInProgress.add(key)
    try {
      const taskIds = new Set(batch.map(({ taskId }) => taskId))
      const packets = await limitReads(waiters.keyOf(batch), () => findPackets(db, batch[0].projectId, [...taskIds]))
      const completions = batch.flatMap((waiter) =>
        checkWaiter(waiter, packets.get(waiter.taskId)!, confirmed, timedOut.has(waiter)),
      )
      const byKey = groupBy(completions, ({ waiter }) => waiter.key.id)
      await Promise.all(
        byKey.map((ofOneKey) => limitKeyChecks(ofOneKey[0].waiter.key.id, () => recheckAndSettle(ofOneKey))),
      )
    } catch (error) {
      rejectAll(batch, error)
    } finally {
      for (const key of taskKeys) tasksInProgress.delete(key)
    }
  }

  return {
    metrics: waiters.metrics,

    /** Resolves when all expectations are met, or with the current verification when the time runs out. */
    wait: (poll: LongPoll) =>
      new Promise<LongPollResult>((resolve, reject) => {
        const initialResult = { verification: poll.verification, at: poll.confirmed.at }
        if (hasEnded) return resolve(initialResult)
        const waiter = waiters.add(poll, resolve, reject)
        // The client has probably disconnected. If not, it learns that nothing has changed yet.
        poll.onDisconnect(() => waiter.resolve(initialResult))
        if (!isWatching) void watch()
      }),

    /** Ends all long polls, including new ones, as if their time had run out. */
    end() {
      hasEnded = true
      wake()
    },
  }
}

interface Completion {
  waiter: Waiter
  settle(): void
}

/** Returns the completion of a long poll, or nothing if it continues. */
function checkWaiter(
  waiter: Waiter,
  getPacket: GetPacket,
  confirmed: ConfirmedVersion,
  isTimedOut: boolean,
): Completion[] {
  try {
    const verification = waiter.verify(getPacket())
    Object.assign(waiter, { confirmed, verification })
    if (!isTimedOut && !verification.verified) return []
    return [{ waiter, settle: () => waiter.resolve({ verification, at: confirmed.at }) }]
  } catch (problem) {
    return [{ waiter, settle: () => waiter.reject(problem) }]
  }
}

/** The grants of a key can change during a long poll, so the key is checked again, once for all its completions. */
async function recheckAndSettle(completions: Group<Completion>) {
  try {
    await completions[0].waiter.recheck()
    for (const { settle } of completions) settle()
  } catch (error) {
    rejectAll(
      completions.map(({ waiter }) => waiter),
      error,
    )
  }
}

function rejectAll(waiters: Iterable<Waiter>, error: unknown) {
  for (const waiter of waiters) waiter.reject(error)
}
