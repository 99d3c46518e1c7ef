// Lets requests wait for changes. While any wait, one loop reads the new entries of the journal and the versions of their
// keys, and wakes the requests that they concern. It polls the database, so it sees changes through any channel, with any
// number of instances, and behind any connection pooler.

import { setTimeout as sleep } from 'node:timers/promises'
import { minFreePerUsed } from '../db/pool/owner.ts'
import type { Server } from '../db/database.ts'
import { waitForConnectionMs } from '../db/pool/pool.ts'
import { query } from '../db/statements/query.ts'
import { createFairLimit } from '../runtime/fair-limit.ts'
import { catalogMetric } from '../runtime/metrics/catalog.ts'
import type { Metric } from '../runtime/metrics/metrics.ts'
import { createRoundRobinQueue } from '../runtime/round-robin-queue.ts'
import type { Incoming } from './incoming.ts'
import { ClientDisconnected, unavailable } from './problems/problem.ts'
import newEntriesSql from '../../sql/waiting/new-entries.sql'

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

export type Waiting = ReturnType<typeof createWaiting>

interface Watcher {
  keyId: string
  concerns: Wish['concerns']
  /** Its key, as admitted last. Undefined until it asks for its first turn. */
  key: AdmittedKey | undefined
  /** Something that concerns it may have changed since it was admitted last. */
  hasChanged: boolean
  isOver: boolean
  failure: Error | undefined
  /** Set while it waits for something to happen. */
  wakeUp: (() => void) | undefined
  /** Set while it waits for its turn to read. */
  resume: (() => void) | undefined
  isReading: boolean
}

/** A server with a journal, as it was when it was asked last. */
interface Followed {
  /** The snapshot up to which changes were noticed. */
  base?: string
  /** Set while it is asked. */
  asked?: Promise<void>
  failure?: unknown
}

export const findNewEntries = query<{ now: string; changes: string | null }>(newEntriesSql, () => 'generic')

export const pollIntervalMs = 50

function throwIfAllFail(servers: readonly (Followed | undefined)[]) {
  const failed = servers.filter((server) => server !== undefined && 'failure' in server)
  if (failed.length > 0 && failed.length === servers.length) throw failed[0]!.failure
}

/**
 * `serversOf` returns the servers that have a journal, and `keyVersionOf` the version of the record of a key. Thousands of
 * requests can wait for the same change. They read in turns, so that they do not wait too long for connections, and so
 * that others get connections and processors meanwhile: all those of a key read on as many connections as it gets while
 * other keys are active.
 */
export function createWaiting(
  serversOf: () => Promise<readonly Server[]>,
  keyVersionOf: (scope: string, keyScope: string) => Promise<string>,
  { maxWaiters, poolSize }: { maxWaiters: number; poolSize: number },
) {
  const watchers = new Set<Watcher>()
  const places = createFairLimit(maxWaiters)
  const reading = createFairLimit(poolSize, minFreePerUsed)
  const queue = createRoundRobinQueue<Watcher>()
  /** Resolves once changes are noticed. Undefined while nobody watches. */
  let started: Promise<void> | undefined
  let refused = 0
  let hasEnded = false

  async function start() {
    const servers = new Map<Server, Followed>()
    try {
      const all = await serversOf()
      await Promise.all(all.map((server) => follow(servers, server, () => {})))
      throwIfAllFail(all.map((server) => servers.get(server)))
      void poll(servers)
    } catch (error) {
      started = undefined
      throw error
    }
  }

  /** If a version cannot be read, the request finds out why when it authenticates again. */
  async function checkKeys() {
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
        if (version !== key.confirmed.keyVersion && watcher.key === key) interrupt(watcher)
    }
    await Promise.all([...byKey.values()].map(check))
  }

  async function poll(servers: Map<Server, Followed>) {
    let checkingKeys: Promise<void> | undefined
    try {
      while (watchers.size > 0) {
        await sleep(pollIntervalMs)
        const all = await serversOf()
        // Before they are asked again, so that no failure is missed.
        throwIfAllFail(all.map((server) => servers.get(server)))
        const asked = all.map((server) => servers.get(server)?.asked ?? follow(servers, server, notify))
        checkingKeys ??= checkKeys().finally(() => (checkingKeys = undefined))
        // A server that does not respond does not delay what others tell.
        await Promise.race([Promise.all([...asked, checkingKeys]), sleep(pollIntervalMs)])
      }
    } catch (error) {
      for (const watcher of watchers) {
        watcher.failure = error as Error
        wake(watcher)
      }
    }
    started = undefined
  }

  /** After a failure, and on a server that is new, everything may have changed. */
  async function follow(servers: Map<Server, Followed>, server: Server, onChanges: typeof notify) {
    const { base = null } = servers.get(server) ?? {}
    const asked = findNewEntries(server.checks, { base }).then(
      ([row]) => {
        if (row!.changes !== '[]') onChanges(row!.changes)
        servers.set(server, { base: row!.now })
      },
      (failure: unknown) => void servers.set(server, { failure }),
    )
    servers.set(server, { asked })
    await asked
  }

  function notify(text: string | null) {
    const found = text === null ? undefined : (JSON.parse(text) as [scope: string, tasks: string[] | null][])
    const changes = found?.map(([scope, tasks]) => [scope, tasks && new Set(tasks)] as const)
    for (const watcher of watchers) {
      if (!changes || changes.some((change) => watcher.concerns(...change))) wake(watcher)
    }
  }

  function wake(watcher: Watcher) {
    watcher.hasChanged = true
    watcher.wakeUp?.()
  }

  /** Wakes it, and ends its wait for a turn. */
  function interrupt(watcher: Watcher) {
    wake(watcher)
    queue.remove(watcher.keyId, watcher)
    watcher.resume?.()
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

  /** At the end of the service, all may read at once. What gets no connection fails soon, and does not delay the end. */
  function resumeNext() {
    let next
    while ((next = queue.next((keyId) => hasEnded || reading.mayTake(keyId)))) {
      reading.take(next.keyId)
      next.isReading = true
      next.resume!()
    }
  }

  function endReading(watcher: Watcher) {
    if (!watcher.isReading) return
    watcher.isReading = false
    reading.release(watcher.keyId)
    resumeNext()
  }

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
    open(keyId: string, { seconds, concerns }: Wish, onDisconnect: Incoming['onDisconnect']): Watch {
      const watcher: Watcher = {
        keyId,
        concerns,
        key: undefined,
        hasChanged: false,
        isOver: false,
        failure: undefined,
        wakeUp: undefined,
        resume: undefined,
        isReading: false,
      }
      let hasPlace = false
      let endOfKey: NodeJS.Timeout | undefined

      /** Its key may have changed, and with it what the request concerns. */
      function followKey(key: AdmittedKey, nowConcerns: Wish['concerns']) {
        const { validUntil, confirmed } = key
        watcher.concerns = nowConcerns
        watcher.key = key
        clearTimeout(endOfKey)
        const remainingMs = validUntil === null ? Infinity : Date.parse(validUntil) - Date.parse(confirmed.at)
        if (remainingMs <= seconds * 1_000) endOfKey = setTimeout(interrupt, remainingMs, watcher)
      }

      function takePlace() {
        if (!places.mayTake(keyId)) throw tooMany()
        places.take(keyId)
        hasPlace = true
      }

      const timers = [
        setTimeout(end, seconds * 1_000, watcher),
        // Without a place, it has never read. Like any other read, it waits for a connection.
        setTimeout(() => hasPlace || interrupt(watcher), Math.max(seconds * 1_000, waitForConnectionMs)),
      ]
      onDisconnect(() => {
        watcher.failure ??= new ClientDisconnected()
        end(watcher)
        interrupt(watcher)
      })
      return {
        async turn(key, nowConcerns) {
          followKey(key, nowConcerns)
          if (watcher.isReading) return true
          queue.add(keyId, watcher)
          await new Promise<void>((resolve) => {
            watcher.resume = resolve
            resumeNext()
            // Before the watch has begun, nobody notices what changes.
            if (!watcher.isReading && !watchers.has(watcher)) watcher.hasChanged = true
          })
          watcher.resume = undefined
          if (!watcher.isReading && watcher.failure) throw watcher.failure
          if (!watcher.isReading && !hasPlace) throw tooMany()
          return !takeChange(watcher)
        },
        async begin() {
          watchers.add(watcher)
          await (started ??= start())
        },
        async next() {
          if (!hasPlace) takePlace()
          endReading(watcher)
          if (!watcher.hasChanged && !watcher.isOver && !hasEnded)
            await new Promise<void>((resolve) => (watcher.wakeUp = resolve))
          watcher.wakeUp = undefined
          takeChange(watcher)
          if (watcher.failure) throw watcher.failure
        },
        isOver: () => watcher.isOver || hasEnded,
        close() {
          watchers.delete(watcher)
          endReading(watcher)
          if (hasPlace) places.release(keyId)
          for (const timer of timers) clearTimeout(timer)
          clearTimeout(endOfKey)
        },
      }
    },

    /** Ends all waiting, also that of new requests, as if their time were up. */
    end() {
      hasEnded = true
      for (const watcher of watchers) end(watcher)
      resumeNext()
    },
  }
}
