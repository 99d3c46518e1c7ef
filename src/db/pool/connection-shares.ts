// Decides which owners may use another connection of a pool. An owner that is alone may use all of them, even while the
// service itself uses some. Otherwise it may use another one only while it uses less than a quarter of those that are
// free.

import { createFairLimit } from '../../runtime/fair-limit.ts'
import { isKey, type Owner } from './owner.ts'

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
  owner: string
  at: number
}

export function createConnectionShares(poolSize: number) {
  const used = createFairLimit(poolSize, minFreePerUsed)
  // Enough to know when any other key was active last.
  let latest: RecentKey = { owner: '', at: -Infinity }
  let latestOther = latest

  function isAlone(owner: string): boolean {
    const holds = (one: string) => Number(used.held(one) > 0)
    if (used.owners > holds(owner) + (owner === 'service' ? 0 : holds('service'))) return false
    const other = latest.owner === owner ? latestOther : latest
    return performance.now() - other.at > recentMs
  }

  /** Does nothing unless the owner is a key: clients without one must not keep connections free. */
  function markActive(owner: Owner) {
    if (!isKey(owner)) return
    const at = performance.now()
    if (latest.owner === owner) return void (latest.at = at)
    latestOther = latest
    latest = { owner, at }
  }

  return {
    markActive,
    /** True if the owner may use this many more connections. */
    mayTake: (owner: string, othersWait: boolean, count = 1) =>
      used.mayTake(owner, count) || (!othersWait && isAlone(owner)),
    take: used.take,
    release(owner: Owner) {
      used.release(owner)
      markActive(owner)
    },
  }
}
