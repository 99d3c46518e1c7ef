// Holds long polls until their tasks meet the expectations. One loop watches the tasks of all long polls, and runs only
// while there are any. It polls the database, so it sees changes through any channel, with any number of instances, and
// behind any connection pooler.

import type { Runner } from '../../db/pool.ts'
import type { ConfirmedVersion, Freshness } from '../../api/freshness/freshness.ts'
import type { Caller } from '../../api/endpoint.ts'
import { Problem } from '../../api/problems/problem.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { findChanged, type ObservedTask } from './changed-tasks.ts'
import type { Verification } from './expectations.ts'
import { groupBy, type Group } from './group-by.ts'
import { findPackets, type DigestedPacket, type PacketLookup } from './packets.ts'

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

export interface LongPolls {
  /** The number of waiting requests. */
  count(): number
  /** Resolves when all expectations are met, or with the current verification when the time runs out. */
  wait(poll: LongPoll): Promise<LongPollResult>
  /** Ends all long polls, including new ones, as if their time had run out. */
  end(): void
}

interface Waiter extends LongPoll {
  deadline: number
  resolve(result: LongPollResult): void
  reject(error: unknown): void
}

export const pollIntervalMs = 100
const maxTasksPerStatement = 50
// Leaves connections free for other requests.
const maxConcurrent = 4

export function createLongPolls(db: Runner, freshness: Freshness, maxWaiters: number): LongPolls {
  const waiters = new Set<Waiter>()
  /** Tasks that are being read, so that a slow read does not block the waiters of other tasks. */
  const tasksInProgress = new Set<string>()
  const limitReads = limitConcurrency(maxConcurrent)
  const limitKeyChecks = limitConcurrency(maxConcurrent)
  let isWatching = false
  let hasEnded = false
  let wake = () => {}

  async function watch() {
    isWatching = true
    while (waiters.size > 0) {
      await pause()
      await pollOnce().catch((error: unknown) => rejectAll(waiters, error))
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
    const idle = [...waiters].filter((waiter) => !tasksInProgress.has(taskKey(waiter)))
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
      const lookups = await limitReads(() => findPackets(db, batch[0].projectId, [...taskIds]))
      const completions = batch.flatMap((waiter) =>
        checkWaiter(waiter, lookups.get(waiter.taskId)!, confirmed, timedOut.has(waiter)),
      )
      const byKey = groupBy(completions, ({ waiter }) => waiter.key.id)
      await Promise.all(byKey.map((ofOneKey) => limitKeyChecks(() => recheckAndSettle(ofOneKey))))
    } catch (error) {
      rejectAll(batch, error)
    } finally {
      for (const key of taskKeys) tasksInProgress.delete(key)
    }
  }

  return {
    count: () => waiters.size,
    wait: (poll) =>
      new Promise((resolve, reject) => {
        const initialResult = { verification: poll.verification, at: poll.confirmed.at }
        if (hasEnded) return resolve(initialResult)
        if (waiters.size >= maxWaiters) throw tooManyWaiters()
        const removeAnd =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            waiters.delete(waiter)
            settle(value)
          }
        const waiter: Waiter = {
          ...poll,
          deadline: performance.now() + poll.seconds * 1_000,
          resolve: removeAnd(resolve),
          reject: removeAnd(reject),
        }
        waiters.add(waiter)
        // The client has disconnected, so this response is not read.
        poll.onDisconnect(() => waiter.resolve(initialResult))
        if (!isWatching) void watch()
      }),
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
  lookup: PacketLookup,
  confirmed: ConfirmedVersion,
  isTimedOut: boolean,
): Completion[] {
  try {
    const verification = waiter.verify(lookup.getOrThrow())
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

const taskKey = ({ projectId, taskId }: Waiter) => `${projectId} ${taskId}`

/** Each batch contains waiters of one project, with no more tasks than one statement reads. */
function splitIntoBatches(waiters: Iterable<Waiter>): Group<Waiter>[] {
  const byTask = groupBy(waiters, taskKey)
  const taskCounts = new Map<string, number>()
  const batches = groupBy(byTask, ([{ projectId }]) => {
    const index = taskCounts.get(projectId) ?? 0
    taskCounts.set(projectId, index + 1)
    return `${projectId} ${Math.floor(index / maxTasksPerStatement)}`
  })
  return batches.map((batch) => batch.flat() as Group<Waiter>)
}

function tooManyWaiters(): Problem {
  return new Problem('UNAVAILABLE', 'Too many requests are already waiting. Try again in a moment, or without wait.', {
    headers: { 'retry-after': '1' },
  })
}
