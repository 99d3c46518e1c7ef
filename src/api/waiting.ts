// Lets requests wait for changes. While any wait, the new entries of the journals and the versions of their keys are read,
// and wake the requests that they concern.

import type { Server } from '../db/database.ts'
import { waitForConnectionMs } from '../db/pool/pool.ts'
import { createFairLimit } from '../runtime/fairness.ts'
import { catalogMetric } from '../runtime/metrics/catalog.ts'
import type { Metric } from '../runtime/metrics/metrics.ts'
import { createFollowing } from './follow-journals.ts'
import type { Incoming } from './incoming.ts'
import { ClientDisconnected, unavailable, type Problem } from './problems/problem.ts'
import { createTurns, type Reader, type Turns } from './reading-turns.ts'

/** The changes that a request waits for, and how long it waits. */
export interface Wish {
  seconds: number
  /** True for changes in a scope that concern it: of these tasks and of other objects, or null for all of the scope. */
  concerns(scope: string, tasks: ReadonlySet<string> | null): boolean
}

/** A key, as it was when its request was admitted last. */
interface AdmittedKey {
  /** The scope in which it was checked: the nodes of a cluster count the versions of a key separately. */
  scope: string
  /** The scope of its record. Undefined for a key from the environment, which cannot change. */
  keyScope: string | undefined
  validUntil: string | null
  confirmed: { keyVersion: string; at: string }
}

export interface Watch {
  /**
   * Waits for its turn to read what it could when it was admitted. Returns false if something may have changed meanwhile:
   * admit it again. Throws if it gets no first turn within its time, or, if that is shorter, the time in which any statement
   * gets a connection.
   */
  turn(key: AdmittedKey, concerns: Wish['concerns']): Promise<boolean>
  /** Notices every change that is committed after the returned promise has resolved. */
  begin(): Promise<void>
  /**
   * Ends its turn, and waits for a change since the watch began, or since the last one, for a change of the key since it was
   * admitted, or for its end. Throws if too many requests wait, if the database cannot be read, or if the client sends no
   * more: it has probably left.
   */
  next(): Promise<void>
  /** True if it may wait no longer. A client that has sent no more since its request gets a response, too. */
  isOver(): boolean
  close(): void
}

type KeyVersionOf = (scope: string, keyScope: string) => Promise<string>

export type Waiting = ReturnType<typeof createWaiting>

interface Watcher extends Reader {
  concerns: Wish['concerns']
  /** Its key, as admitted last. Undefined until it asks for its first turn. */
  key: AdmittedKey | undefined
  /** Something that concerns it may have changed since it was admitted last. */
  hasChanged: boolean
  isOver: boolean
  failure: Error | undefined
  /** Set while it waits for something to happen. */
  wakeUp: (() => void) | undefined
}

/** The watches of one service share these. */
interface Shared {
  watchers: Set<Watcher>
  places: ReturnType<typeof createFairLimit>
  tooMany(): Problem
  turns: Turns
  follow(): Promise<void>
}

/** `serversOf` returns the servers that have a journal, and `keyVersionOf` the version of the record of a key. */
export function createWaiting(
  serversOf: () => Promise<readonly Server[]>,
  keyVersionOf: KeyVersionOf,
  { maxWaiters, poolSize }: { maxWaiters: number; poolSize: number },
) {
  const watchers = new Set<Watcher>()
  const places = createFairLimit(maxWaiters)
  const turns = createTurns(poolSize)
  let refused = 0
  const follow = createFollowing(serversOf, {
    areThere: () => watchers.size > 0,
    notify(changes) {
      for (const watcher of watchers)
        if (!changes || changes.some((change) => watcher.concerns(...change))) wake(watcher)
    },
    checkKeys: () => checkKeys(watchers, keyVersionOf, turns),
    fail(error) {
      for (const watcher of watchers) {
        watcher.failure = error
        wake(watcher)
      }
    },
  })

  function tooMany() {
    refused++
    return unavailable('Too many requests are already waiting. Try again in a moment, or without wait.')
  }

  return {
    metrics: (): Metric[] => [
      catalogMetric('workgate_waiters', maxWaiters - places.free),
      catalogMetric('workgate_waiters_refused_total', refused),
    ],

    /** Close it in any case. */
    open: (keyId: string, wish: Wish, onDisconnect: Incoming['onDisconnect']): Watch =>
      openWatch({ watchers, places, tooMany, turns, follow }, keyId, wish, onDisconnect),

    /** Ends all waiting, also that of new requests, as if their time were up. */
    end() {
      for (const watcher of watchers) end(watcher)
      turns.end()
    },
  }
}

const newWatcher = {
  key: undefined,
  hasChanged: false,
  isOver: false,
  failure: undefined,
  wakeUp: undefined,
  resume: undefined,
  isReading: false,
}

function openWatch(
  { watchers, places, tooMany, turns, follow }: Shared,
  keyId: string,
  { seconds, concerns }: Wish,
  onDisconnect: Incoming['onDisconnect'],
): Watch {
  const watcher: Watcher = { keyId, concerns, ...newWatcher }
  let hasPlace = false
  let endOfKey: NodeJS.Timeout | undefined

  /** Its key may have changed, and with it what the request concerns. */
  function followKey(key: AdmittedKey, nowConcerns: Wish['concerns']) {
    const { validUntil, confirmed } = key
    watcher.concerns = nowConcerns
    watcher.key = key
    clearTimeout(endOfKey)
    const remainingMs = validUntil === null ? Infinity : Date.parse(validUntil) - Date.parse(confirmed.at)
    if (remainingMs <= seconds * 1_000) endOfKey = setTimeout(interrupt, remainingMs, watcher, turns)
  }

  function takePlace() {
    if (!places.mayTake(keyId)) throw tooMany()
    places.take(keyId)
    hasPlace = true
  }

  const timers = [
    setTimeout(end, seconds * 1_000, watcher),
    // Without a place, it has never read. Like any other read, it waits for a connection.
    setTimeout(() => hasPlace || interrupt(watcher, turns), Math.max(seconds * 1_000, waitForConnectionMs)),
  ]
  onDisconnect(() => {
    watcher.failure ??= new ClientDisconnected()
    end(watcher)
    interrupt(watcher, turns)
  })
  return {
    async turn(key, nowConcerns) {
      followKey(key, nowConcerns)
      if (watcher.isReading) return true
      const resumed = turns.take(watcher)
      // Before the watch has begun, nobody notices what changes.
      if (!watcher.isReading && !watchers.has(watcher)) watcher.hasChanged = true
      await resumed
      if (!watcher.isReading && watcher.failure) throw watcher.failure
      if (!watcher.isReading && !hasPlace) throw tooMany()
      return !takeChange(watcher)
    },
    async begin() {
      watchers.add(watcher)
      await follow()
    },
    async next() {
      if (!hasPlace) takePlace()
      turns.release(watcher)
      if (!watcher.hasChanged && !watcher.isOver && !turns.hasEnded())
        await new Promise<void>((resolve) => (watcher.wakeUp = resolve))
      watcher.wakeUp = undefined
      takeChange(watcher)
      if (watcher.failure) throw watcher.failure
    },
    isOver: () => watcher.isOver || turns.hasEnded(),
    close() {
      watchers.delete(watcher)
      turns.release(watcher)
      if (hasPlace) places.release(keyId)
      for (const timer of timers) clearTimeout(timer)
      clearTimeout(endOfKey)
    },
  }
}

function wake(watcher: Watcher) {
  watcher.hasChanged = true
  watcher.wakeUp?.()
}

/** Wakes it, and ends its wait for a turn. */
function interrupt(watcher: Watcher, turns: Turns) {
  wake(watcher)
  turns.giveUp(watcher)
}

function takeChange(watcher: Watcher): boolean {
  const { hasChanged } = watcher
  watcher.hasChanged = false
  return hasChanged
}

function end(watcher: Watcher) {
  watcher.isOver = true
  watcher.wakeUp?.()
}

/** If a version cannot be read, the request finds out why when it authenticates again. */
async function checkKeys(watchers: ReadonlySet<Watcher>, keyVersionOf: KeyVersionOf, turns: Turns) {
  const byKey = new Map<string, [Watcher, AdmittedKey][]>()
  for (const watcher of watchers) {
    const { key } = watcher
    if (key?.keyScope === undefined) continue
    const name = `${key.scope} ${key.keyScope}`
    const others = byKey.get(name)
    if (others) others.push([watcher, key])
    else byKey.set(name, [[watcher, key]])
  }
  const check = async (admitted: [Watcher, AdmittedKey][]) => {
    const { scope, keyScope } = admitted[0]![1]
    const version = await keyVersionOf(scope, keyScope!).catch(() => undefined)
    // If it was admitted again in the meantime, the next check compares it.
    for (const [watcher, key] of admitted)
      if (version !== key.confirmed.keyVersion && watcher.key === key) interrupt(watcher, turns)
  }
  await Promise.all([...byKey.values()].map(check))
}
