// Requests that wait until their task is as they expect. One watcher looks for all of them, and only while somebody
// waits. It asks the database, so that it works for changes by any channel, on any number of instances, behind any pooler.

import type { Runner } from '../../db/pool.ts'
import type { ConfirmedVersion, Freshness } from '../../api/freshness/freshness.ts'
import type { Caller } from '../../api/endpoint.ts'
import { Problem } from '../../api/problems/problem.ts'
import { limitConcurrency } from './at-most.ts'
import { findChanged, type Seen } from './changes.ts'
import type { Verification } from './expectations.ts'
import { groupBy, type Group } from './group-by.ts'
import { findSights, type Found, type Sight } from './packets.ts'

export interface Wait extends Seen, Pick<Caller, 'key' | 'recheck' | 'onDisconnect'> {
  /** What it was when it was seen. */
  verification: Verification
  judge(found: Found): Verification
  seconds: number
}

export interface Waited {
  verification: Verification
  /** When it was seen to be so. */
  at: string
}

export interface Waiting {
  /** How many wait. */
  count(): number
  /** Comes when all is as expected, or when the time is over with what there is then. */
  wait(wait: Wait): Promise<Waited>
  /** From now on everybody's time is over. */
  end(): void
}

interface Waiter extends Wait {
  until: number
  resolve(waited: Waited): void
  reject(error: unknown): void
}

export const lookEveryMs = 100
const tasksPerStatement = 50
// What waits has to leave connections to what does not.
const maxConcurrent = 4

export function createWaiting(db: Runner, freshness: Freshness, places: number): Waiting {
  const waiters = new Set<Waiter>()
  /** Tasks that are being looked at. One that takes long holds up nobody who waits for another. */
  const inHand = new Set<string>()
  const reading = limitConcurrency(maxConcurrent)
  const checking = limitConcurrency(maxConcurrent)
  let watching = false
  let ended = false
  let wake = () => {}

  async function watch() {
    watching = true
    while (waiters.size > 0) {
      await pause()
      await look().catch((error: unknown) => fail(waiters, error))
    }
    watching = false
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookEveryMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function look() {
    const now = performance.now()
    const free = [...waiters].filter((waiter) => !inHand.has(nameOf(waiter)))
    const over = new Set(free.filter(({ until }) => ended || until <= now))
    const { changed, now: confirmed } = await findChanged(db, freshness, free)
    for (const portion of portionsOf(new Set([...over, ...changed]))) {
      void lookAgain(portion, over, confirmed.get(portion[0].projectId)!)
    }
  }

  async function lookAgain(portion: Group<Waiter>, over: ReadonlySet<Waiter>, confirmed: ConfirmedVersion) {
    const names = portion.map(nameOf)
    for (const name of names) inHand.add(name)
    try {
      const taskIds = new Set(portion.map(({ taskId }) => taskId))
      const sights = await reading(() => findSights(db, portion[0].projectId, [...taskIds]))
      const ends = portion.flatMap((waiter) => see(waiter, sights.get(waiter.taskId)!, confirmed, over.has(waiter)))
      const ofKeys = groupBy(ends, ({ waiter }) => waiter.key.id)
      await Promise.all(ofKeys.map((ends) => checking(() => checkAndAnswer(ends))))
    } catch (error) {
      fail(portion, error)
    } finally {
      for (const name of names) inHand.delete(name)
    }
  }

  return {
    count: () => waiters.size,
    wait: (wait) =>
      new Promise((resolve, reject) => {
        const asSeen = { verification: wait.verification, at: wait.confirmed.at }
        if (ended) return resolve(asSeen)
        if (waiters.size >= places) throw full()
        const leaving =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            waiters.delete(waiter)
            settle(value)
          }
        const waiter: Waiter = {
          ...wait,
          until: performance.now() + wait.seconds * 1_000,
          resolve: leaving(resolve),
          reject: leaving(reject),
        }
        waiters.add(waiter)
        // Nobody reads what this one is answered with.
        wait.onDisconnect(() => waiter.resolve(asSeen))
        if (!watching) void watch()
      }),
    end() {
      ended = true
      wake()
    },
  }
}

interface End {
  waiter: Waiter
  answer(): void
}

/** How the wait ends, if what is there now ends it. */
function see(waiter: Waiter, sight: Sight, confirmed: ConfirmedVersion, isOver: boolean): End[] {
  try {
    const verification = waiter.judge(sight.found())
    Object.assign(waiter, { confirmed, verification })
    if (!isOver && !verification.verified) return []
    return [{ waiter, answer: () => waiter.resolve({ verification, at: confirmed.at }) }]
  } catch (problem) {
    return [{ waiter, answer: () => waiter.reject(problem) }]
  }
}

/** What a key may can change while it waits, so it is asked for once more, for all that it waits for. */
async function checkAndAnswer(ends: Group<End>) {
  try {
    await ends[0].waiter.recheck()
    for (const { answer } of ends) answer()
  } catch (error) {
    fail(
      ends.map(({ waiter }) => waiter),
      error,
    )
  }
}

function fail(waiters: Iterable<Waiter>, error: unknown) {
  for (const waiter of waiters) waiter.reject(error)
}

const nameOf = ({ projectId, taskId }: Waiter) => `${projectId} ${taskId}`

/** Of one project each, and of so many tasks that one statement can read them. */
function portionsOf(waiters: Iterable<Waiter>): Group<Waiter>[] {
  const tasks = groupBy(waiters, nameOf)
  const places = new Map<string, number>()
  const portions = groupBy(tasks, ([{ projectId }]) => {
    const place = places.get(projectId) ?? 0
    places.set(projectId, place + 1)
    return `${projectId} ${Math.floor(place / tasksPerStatement)}`
  })
  return portions.map((portion) => portion.flat() as Group<Waiter>)
}

function full(): Problem {
  return new Problem('UNAVAILABLE', 'As many requests wait already as may. Try again in a moment, or without wait.', {
    headers: { 'retry-after': '1' },
  })
}
