// Decides which owners may use another connection of a pool. An owner that is alone may use all of them. Otherwise it may
// use another one only while it uses less than a quarter of those that are free.

import { createPlaces } from '../runtime/places.ts'

/** On whose behalf a statement runs. */
export interface Owner {
  id: string
  /** True for a verified key. Nobody else keeps connections free with recent statements. */
  isKey: boolean
}

/** Owns the statements that no request waits for, and those that requests of several keys share. */
export const serviceOwner: Owner = { id: '', isKey: false }

export const ownerOfKey = (keyId: string): Owner => ({ id: keyId, isKey: true })
export const ownerOfAddress = (address: string): Owner => ({ id: `address ${address}`, isKey: false })

/**
 * One key gets 2 of 10 connections. With half of them, its costly statements would occupy two processors so much that
 * the requests of others took 6 to 10 times as long, instead of 2 to 4 times (npm run bench -- --only fairness).
 */
const minFreePerUsed = 4

/**
 * An owner is not alone for this long after a request of another key. Otherwise, a client that sends one request at a
 * time would find all connections in use each time, and requests that need no connection would find all processors in use.
 */
const recentMs = 1_000

interface RecentKey {
  id: string
  at: number
}

export function createConnectionShares(poolSize: number) {
  const used = createPlaces(poolSize, minFreePerUsed)
  // Enough to know when any other key was active last.
  let latest: RecentKey = { id: '', at: -Infinity }
  let latestOther = latest

  function isAlone(id: string): boolean {
    if (used.owners > Number(used.held(id) > 0)) return false
    const other = latest.id === id ? latestOther : latest
    return performance.now() - other.at > recentMs
  }

  function markActive(id: string) {
    const at = performance.now()
    if (latest.id === id) return void (latest.at = at)
    latestOther = latest
    latest = { id, at }
  }

  return {
    markActive,
    mayTake: (id: string, othersWait: boolean) => used.mayTake(id) || (!othersWait && isAlone(id)),
    take: ({ id }: Owner) => used.take(id),
    release({ id, isKey }: Owner) {
      used.release(id)
      if (isKey) markActive(id)
    },
  }
}
