// Decides which statements may use another connection; see pool.ts for the rule.

import { createFairLimit } from '../../runtime/fairness.ts'
import type { LogPosition } from './log-position.ts'
import type { Plans } from './plan-settings.ts'

/** On whose behalf a statement runs: a verified key, a client's address, or the service itself. */
export type Owner = `key ${string}` | `address ${string}` | 'service'

export const ownerOfKey = (keyId: string): Owner => `key ${keyId}`
/** For requests without a verified key: anybody can claim any key's id. */
export const ownerOfAddress = (address: string): Owner => `address ${address}`

/**
 * While other keys are active, an owner may use another connection only while so many are free for each that it uses: one
 * key gets 2 of 10 connections. With half of them, its costly statements would occupy two processors so much that
 * the requests of others took 6 to 10 times as long, instead of 2 to 4 times (npm run bench -- --only fairness).
 */
export const minFreePerUsed = 4

export interface Statement {
  text: string
  /** By default, the service itself. */
  owner: Owner
  /** Identifies statements that need the same tables. By default, the text. */
  source: string
  /** Identifies statements that are blocked in one project only. */
  projectId: string
  /** Called when the statement gets a connection. */
  onStart?: (() => void) | undefined
  /** By default, those of the pool. */
  plans: Plans
  /** The position that a standby must have replayed to run the statement. */
  position?: LogPosition | undefined
}

/**
 * An owner is not alone for this long after a request of another key. Otherwise, a client that sends one request at a
 * time would find all connections in use each time, and requests that need no connection would find all processors in use.
 */
const recentMs = 1_000

export type ConnectionShares = ReturnType<typeof createConnectionShares>

export function createConnectionShares(poolSize: number, maxBlocked: number) {
  const used = createFairLimit(poolSize, minFreePerUsed)
  const usedByBlocked = createFairLimit(maxBlocked)
  const blocked = trackBlockedStatements()
  /** The number of statements, running or waiting, of each owner except the service. */
  const pending = new Map<string, number>()
  // Enough to know when any other key was active last.
  let latest = { owner: '', at: -Infinity }
  let latestOther = latest

  function isAlone(owner: string): boolean {
    if (pending.size > Number(pending.has(owner))) return false
    const other = latest.owner === owner ? latestOther : latest
    return performance.now() - other.at > recentMs
  }

  /** Does nothing unless the owner is a key: clients without one must not keep connections free. */
  function markActive(owner: Owner) {
    if (!owner.startsWith('key ')) return
    if (latest.owner !== owner) latestOther = latest
    latest = { owner, at: performance.now() }
  }

  /** True if the owner may use this many more connections. */
  const isInShare = (owner: string, count = 1) => used.mayTake(owner, count) || isAlone(owner)

  return {
    markActive,
    isInShare,
    isBlocked: blocked.has,
    markBlocked: blocked.add,
    clearBlocked: blocked.delete,

    /** True unless the statement is blocked, and too many such statements run, of the same owner or in total. */
    isEligible(statement: Statement): boolean {
      if (!blocked.has(statement)) return true
      const { owner } = statement
      return usedByBlocked.free > 0 && (usedByBlocked.held(owner) === 0 || isInShare(owner, 2))
    },

    /** Counts a connection as used, until the returned function is called. */
    take(statement: Statement): () => void {
      const { owner } = statement
      const limits = blocked.has(statement) ? [used, usedByBlocked] : [used]
      for (const limit of limits) limit.take(owner)
      return () => limits.forEach((limit) => limit.release(owner))
    },

    /** Call this before a statement uses or waits for a connection. */
    enter(owner: Owner) {
      if (owner !== 'service') pending.set(owner, (pending.get(owner) ?? 0) + 1)
    },
    leave(owner: Owner) {
      const left = (pending.get(owner) ?? 0) - 1
      if (left > 0) pending.set(owner, left)
      else pending.delete(owner)
      markActive(owner)
    },
  }
}

/** Remembers which statements timed out while they waited for a lock, on a table or on rows of one project. */
function trackBlockedStatements() {
  const projects = new Map<string, Set<string>>()

  /** A statement that is blocked in two projects is blocked by a lock on the table. */
  function has({ source, projectId }: Statement): boolean {
    const blocked = projects.get(source)
    return blocked !== undefined && (blocked.size === 2 || blocked.has(projectId))
  }

  return {
    has,
    add(statement: Statement) {
      const { source, projectId } = statement
      if (!has(statement)) projects.set(source, new Set(projects.get(source)).add(projectId))
    },
    delete(statement: Statement) {
      if (has(statement)) projects.delete(statement.source)
    },
  }
}
