// Confirms, before each response, the version of all data that the response depends on. Requests that arrive in the same
// turn of the event loop, or while earlier batches run, share a batch, so many requests cost little more than one.

import { freshnessConnections, type Source } from '../../db/database.ts'
import type { Owner } from '../../db/pool/connection-shares.ts'
import { waitForConnectionMs, type LogPosition, type Runner } from '../../db/pool/pool.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import { query } from '../../db/statements/query.ts'
import { createFairLimit } from '../../runtime/fairness.ts'
import { catalogMetric } from '../../runtime/metrics/catalog.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'
import { ClientDisconnected } from '../problems/problem.ts'
import { areNames, readVersions, type ConfirmedVersion, type VersionsRow } from './confirmed-version.ts'
import versionsSql from '../../../sql/freshness/versions.sql'

export type { ConfirmedVersion }

export const findVersions = query<VersionsRow>(versionsSql)

/** Ids of scopes that are not projects; see sql/migrations/0011-freshness.sql. */
export const everyProject = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
export const directory = '00000000-0000-0000-0000-000000000000'
export const keyScopeOf = (keyId: string) => `00000000${Buffer.from(keyId).toString('hex')}`

export interface CheckRequest {
  /** The scope of the key's record; see keyScopeOf(). */
  keyScope?: string | undefined
  isDisconnected?: (() => boolean) | undefined
  /** By default, the service. */
  owner?: Owner
  /** On a node of a cluster: the places that it must have. */
  places?: readonly number[]
}

export interface Freshness {
  /** The number of checks since startup, and of the statements that ran them. */
  counts: { checks: number; statements: number }
  metrics(): Metric[]
  /**
   * Confirms a version as of some time after the call. A scope is an id, or several separated by commas, or the names
   * in a path, as namesInPath() returns them: then its version is that of the project. Fails if the client disconnects
   * before its batch starts, or if its owner has too many pending checks.
   */
  check(scope: string, request?: CheckRequest): Promise<ConfirmedVersion>
  /** Confirms only the version of the record of a key, which was checked with this scope before. */
  keyVersion(scope: string, keyScope: string): Promise<string>
}

interface FreshnessOptions {
  /** With positions, `sourceAt` gets the one that replicas must have replayed. */
  withPositions?: boolean
  /** On a node of a cluster: checks require places. */
  isNode?: boolean
  /** Shared with other nodes of a cluster. */
  counts?: Freshness['counts']
}

interface PendingCheck {
  scope: string
  keyScope: string
  places: readonly number[]
  owner: Owner
  /** Rejected if its batch has not started by then. */
  deadline: number
  isDisconnected: () => boolean
  resolve(confirmed: ConfirmedVersion): void
  reject(error: unknown): void
}

// If the database does not respond, no batch can start. Pending requests then fail before the statement timeout, and
// one client cannot take all places.
const maxPending = 10_000
const expiryIntervalMs = 250

/** `sourceAt` returns what responses are read from. */
export function createFreshness(
  db: Runner,
  sourceAt: (position: LogPosition | undefined) => Source,
  { withPositions = false, isNode = false, counts = { checks: 0, statements: 0 } }: FreshnessOptions = {},
): Freshness {
  // Requests are spread over the nodes of a cluster. With one batch at a time, more of them share a statement.
  const maxBatches = isNode ? 1 : freshnessConnections
  let pending: PendingCheck[] = []
  const room = createFairLimit(maxPending)
  let runningBatches = 0
  let isBatchScheduled = false
  let expiryTimer: NodeJS.Timeout | undefined

  function scheduleBatch() {
    if (pending.length === 0) return
    if (runningBatches === maxBatches) {
      expiryTimer ??= setTimeout(rejectExpired, expiryIntervalMs)
    } else if (!isBatchScheduled) {
      isBatchScheduled = true
      // The batch includes the requests that arrive in the same turn of the event loop.
      setImmediate(runBatch)
    }
  }

  async function runBatch() {
    isBatchScheduled = false
    room.releaseAll()
    const batch = pending.filter((check) => !rejectDisconnected(check))
    pending = []
    if (batch.length === 0) return
    runningBatches++
    counts.statements++
    try {
      const { scopes, names } = askedFor(batch)
      const [row] = await findVersions(db, {
        scopes,
        names: names.length > 0 ? names : null,
        places: isNode ? [...new Set(batch.flatMap(({ places }) => places.map(String)))] : null,
        position: withPositions || null,
      })
      const confirm = readVersions(scopes, names, row!, sourceAt)
      for (const check of batch) check.resolve(confirm(check))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      runningBatches--
      scheduleBatch()
    }
  }

  function rejectExpired() {
    expiryTimer = undefined
    for (const { owner, reject } of takeExpired(pending)) {
      room.release(owner)
      reject(new DatabaseUnavailable('no freshness batch could start in time'))
    }
    scheduleBatch()
  }

  function check(scope: string, request: CheckRequest = {}): Promise<ConfirmedVersion> {
    const { keyScope = scope, places = [], isDisconnected = () => false, owner = 'service' } = request
    return new Promise((resolve, reject) => {
      const mayWait = owner === 'service' ? room.free > 0 : room.mayTake(owner)
      if (!mayWait) throw new DatabaseUnavailable('too many requests are waiting')
      room.take(owner)
      counts.checks++
      const deadline = performance.now() + waitForConnectionMs
      pending.push({ scope, keyScope, places, owner, deadline, isDisconnected, resolve, reject })
      scheduleBatch()
    })
  }

  return {
    counts,
    metrics: () => freshnessMetrics(counts),
    check,
    // It does not depend on the scope, and one scope for all keys costs less.
    keyVersion: async (_, keyScope) => (await check(directory, { keyScope })).keyVersion,
  }
}

export const freshnessMetrics = ({ checks, statements }: Freshness['counts']): Metric[] => [
  catalogMetric('workgate_freshness_checks_total', checks),
  catalogMetric('workgate_freshness_batches_total', statements),
]

function askedFor(batch: readonly PendingCheck[]) {
  const asked = [...new Set(batch.flatMap(({ scope, keyScope }) => [scope, keyScope]))]
  return { scopes: asked.filter((scope) => !areNames(scope)), names: asked.filter(areNames) }
}

/** The checks are in the order of their deadlines. */
function takeExpired(checks: PendingCheck[]): PendingCheck[] {
  const now = performance.now()
  const firstInTime = checks.findIndex(({ deadline }) => deadline > now)
  return checks.splice(0, firstInTime < 0 ? checks.length : firstInTime)
}

/** Returns true, after rejecting the check, if its client has disconnected. */
function rejectDisconnected({ isDisconnected, reject }: PendingCheck): boolean {
  if (!isDisconnected()) return false
  reject(new ClientDisconnected())
  return true
}
