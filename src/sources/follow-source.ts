// Follows one source: rounds at intervals, earlier after a hint, and later after a failure.

import type { Database } from '../db/database.ts'
import { DatabaseUnavailable, describeCause, serverError } from '../db/errors.ts'
import { query } from '../db/statements/query.ts'
import { InvalidValue } from '../import/invalid.ts'
import type { Log } from '../runtime/log.ts'
import { AnotherProject, Drifted, Moved, type Tracker } from './adapter.ts'
import { LeaseLost } from './apply-round.ts'
import { createTrackerHttp, type TrackerHttp } from './http/http.ts'
import { TrackerError } from './http/tracker-error.ts'
import { runRound, type Followed } from './round.ts'
import { tools } from './tools.ts'
import failRoundSql from '../../sql/sources/fail-round.sql'
import moveSourceSql from '../../sql/sources/move-source.sql'

const failRound = query(failRoundSql)
const moveSource = query(moveSourceSql)

export interface Settings {
  projectId: string
  fence: string
  key: string
  tool: string
  address: string
  namespace: string
  trackerId: string | null
  tokenFile: string | null
  tokenEnv: string | null
  allowLocal: boolean
}

export interface FollowOptions {
  db: Database
  log: Log
  /** Is called before each round, so that a token can be replaced. */
  readToken(settings: Settings): Promise<string | undefined>
  /** Waits for its turn: few rounds run at the same time. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  intervalMs: number
  auditMs: number
}

const driftedMs = 100
const firstRetryMs = 500
const maxRetryMs = 60_000

export type Follower = ReturnType<typeof followSource>

export function followSource(first: Settings, options: FollowOptions) {
  const { db, log, readToken, inTurn, intervalMs, auditMs } = options
  let settings = first
  let token: string | undefined
  let http: { of: string; client: TrackerHttp } | undefined
  let isHinted = false
  let wake = () => {}
  let auditAt = performance.now() + auditMs
  let [failures, drifts] = [0, 0]
  const ending = new AbortController()
  const { projectId, fence } = first
  const followed: Followed = { projectId, key: first.key, actor: '', fence, trackerId: null }

  function open(): Tracker {
    const { tool, address, namespace, trackerId, allowLocal } = settings
    const { origin, pathname } = new URL(address)
    const found = tools[tool]
    if (!found) throw new TrackerError(`this version cannot follow ${tool}`)
    const of = `${origin} ${allowLocal}`
    if (http?.of !== of) {
      http?.client.close()
      const headers = () => (token === undefined ? {} : found.headers(token))
      http = { of, client: createTrackerHttp({ origin, headers, signal: ending.signal, allowLocal }) }
    }
    return found.open(http.client, { path: pathname.slice(1), namespace, trackerId })
  }

  /** Returns how long to wait before the next round. */
  async function round(): Promise<number> {
    let tracker: Tracker | undefined
    try {
      token = await readToken(settings)
      tracker = open()
      const before = http!.client.counts.requests
      followed.actor = settings.address.replace(/^https?:\/\//, '')
      followed.trackerId = settings.trackerId
      const audit = performance.now() >= auditAt
      const done = await runRound(db, tracker, followed, { audit })
      if (done.audited) auditAt = performance.now() + auditMs
      settings = { ...settings, trackerId: followed.trackerId }
      ;[failures, drifts] = [0, 0]
      if (done.changed + done.deleted > 0) log.debug('a source was read', { project: settings.key, ...done })
      return Math.max(intervalMs, http!.client.pace(http!.client.counts.requests - before))
    } catch (error) {
      if (ending.signal.aborted || error instanceof LeaseLost) throw error
      if (error instanceof Drifted && ++drifts < 5) return driftedMs
      return await fail(error, tracker)
    }
  }

  async function fail(error: unknown, tracker: Tracker | undefined): Promise<number> {
    const failure = tracker ? await diagnose(error, tracker) : error
    if (failure instanceof Moved && failure.trackerId === settings.trackerId) {
      const address = `${new URL(settings.address).origin}/${failure.path}`
      await moveSource(db, { projectId, fence, address })
      settings = { ...settings, address }
      log.info('a source was renamed', { project: settings.key, address })
      return 0
    }
    failures++
    const delay = Math.min(maxRetryMs, firstRetryMs * 2 ** failures)
    if (failure instanceof DatabaseUnavailable || serverError(failure)) {
      if (failures === 1)
        log.warn('a source could not be written', { project: settings.key, cause: describeCause(failure) })
      return delay
    }
    const problem = describe(failure)
    if (failures === 1 && problem !== unexpected)
      log.warn('a source cannot be followed', { project: settings.key, problem })
    if (failures === 1 && problem === unexpected)
      log.error('following a source failed', { project: settings.key, cause: describeCause(failure) })
    await failRound(db, { projectId, fence, problem })
    return (failure instanceof TrackerError && failure.retryMs) || delay
  }

  const run = async () => {
    while (!ending.signal.aborted) {
      isHinted = false
      const delay = await inTurn(round)
      if (!isHinted && !ending.signal.aborted) await pause(delay)
    }
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const ended = run()
    .catch((error: unknown) => {
      if (!ending.signal.aborted && !(error instanceof LeaseLost))
        log.warn('following a source was interrupted', { project: settings.key, cause: describeCause(error) })
    })
    .finally(() => http?.client.close())

  return {
    ended,
    /** Reads now, and again if it is reading. */
    hint() {
      isHinted = true
      wake()
    },
    set settings(changed: Settings) {
      settings = { ...changed, trackerId: changed.trackerId ?? settings.trackerId }
    },
    stop(): Promise<void> {
      ending.abort(new Error('the service stops'))
      wake()
      return ended
    },
  }
}

/** Lost access and a new address look like many things in lists. */
async function diagnose(error: unknown, tracker: Tracker): Promise<unknown> {
  if (!(error instanceof TrackerError) || error instanceof AnotherProject || error.status === 0) return error
  const access = await tracker.access().catch((failure: unknown) => failure as TrackerError)
  if (access instanceof Error || access.state === 'open') return error
  return access.state === 'moved' ? new Moved(access) : new TrackerError(access.why, error.status)
}

/** Contains nothing that the tracker has sent. */
function describe(error: unknown): string {
  if (error instanceof TrackerError) return error.message
  if (error instanceof InvalidValue) return 'the tracker sends something that cannot be read'
  if (error instanceof Drifted) return 'the lists of the tracker do not settle'
  return unexpected
}

const unexpected = 'the service failed, and its log says why'
