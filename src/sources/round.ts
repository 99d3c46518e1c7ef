// One round: reads what a tracker has changed and deleted since the last one, and brings the project up to date.

import type { Database } from '../db/database.ts'
import { query } from '../db/statements/query.ts'
import type { Kind, Tracker } from './adapter.ts'
import { applyRound, LeaseLost } from './apply-round.ts'
import { confirm, readTrackerId, type Vanished } from './confirm.ts'
import { openCopy } from './copy.ts'
import { findVanished, readAll } from './vanished.ts'
import beginRoundSql from '../../sql/sources/begin-round.sql'

const beginRound = query<{ round: string; at: string; cursor: string }>(beginRoundSql)

/** What a holder of the lease knows. */
export interface Followed {
  projectId: string
  /** The key of the project. */
  key: string
  /** Names the source in the history. */
  actor: string
  fence: string
  /** The id of the project in the tracker. Null until the first round. */
  trackerId: string | null
  /** When the last round of this holder began, by performance.now(). */
  lastBegan?: number
}

export interface Done {
  round: string
  changed: number
  deleted: number
  refused: number
  audited: boolean
}

/** The clock of the tracker at the last round, and what `settings()` said. */
interface Cursor {
  mark?: string
  digest?: string
}

/** `audit` reads everything, and not only what was changed. */
export async function runRound(
  db: Pick<Database, 'run' | 'session'>,
  tracker: Tracker,
  followed: Followed,
  { audit }: { audit: boolean },
): Promise<Done> {
  const { projectId, key, actor, fence } = followed
  const began = performance.now()
  const [numbered] = await beginRound(db, { projectId, fence })
  if (!numbered) throw new LeaseLost()
  const cursor = JSON.parse(numbered.cursor) as Cursor
  const { digest, now } = await tracker.settings()
  const isWindow = !audit && cursor.mark !== undefined && cursor.digest === digest
  const copy = await openCopy(db, projectId, { retries: !isWindow })

  /** Returns what has vanished, and whether something else may have been skipped because of that. */
  async function read(since: Date | undefined) {
    const listed = new Map<Kind, Set<string>>()
    let isPaged = false
    // In the order of the adapter, tasks last: a comment that was created meanwhile then finds its task.
    for (const kind of tracker.kinds) {
      const { ids, pages } = await readAll(tracker, kind, since, copy.add)
      if (since === undefined) listed.set(kind, ids)
      isPaged ||= pages > 1
    }
    const vanished: Vanished[] = []
    for (const kind of tracker.kinds.toReversed()) {
      const missing = await findVanished(tracker, copy, kind, listed.get(kind))
      vanished.push(...missing.map((item) => ({ ...item, kind })))
    }
    // Between two pages of a window, a change can hide a deletion: the total remains the same.
    return { vanished, mayLack: since !== undefined && isPaged && vanished.length > 0 }
  }

  const since = isWindow ? windowStart(tracker, cursor.mark!, now, began - (followed.lastBegan ?? began)) : undefined
  const trackerId = followed.trackerId ?? (await readTrackerId(tracker))
  const first = await read(since)
  const { vanished } = first.mayLack ? await read(undefined) : first
  const audited = !isWindow || first.mayLack
  const gone = await confirm(tracker, vanished, copy.count('task'), trackerId)

  const isGone = new Set(gone.map(({ kind, externalId }) => `${kind} ${externalId}`))
  const left = copy.changed().filter(({ kind, externalId }) => !isGone.has(`${kind} ${externalId}`))
  const needsTasks = left.some(({ parent }) => parent !== undefined)
  const tasks = new Set(needsTasks ? (await copy.list('task')).map(({ externalId }) => externalId) : [])
  // What was created meanwhile can refer to a task that was created later still: the next round has both.
  const changed = left.filter(
    ({ parent }) => parent === undefined || (tasks.has(parent) && !isGone.has(`task ${parent}`)),
  )
  const marks = { projectId, key, fence, round: numbered.round, at: numbered.at, audited, cursor: JSON.stringify({ mark: now.toISOString(), digest }), trackerId, lagSeconds: tracker.lagSeconds } // prettier-ignore
  const { refused } = await applyRound(db, actor, { changed, gone, marks })
  followed.lastBegan = began
  followed.trackerId = trackerId
  return { round: numbered.round, changed: changed.length, deleted: gone.length, refused, audited }
}

/**
 * Both clocks are those of the tracker. Ours only measures how long ago the last round began, in case the tracker's clock was
 * set back.
 */
function windowStart(tracker: Tracker, mark: string, now: Date, elapsed: number): Date {
  return new Date(Math.min(Date.parse(mark), now.getTime() - elapsed) - tracker.overlapSeconds * 1_000)
}
