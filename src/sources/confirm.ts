// Asks the tracker what became of what is missing in its lists. Nothing is deleted unless the tracker says so, and can itself
// still be read afterwards: lost access looks like deletion.

import { AnotherProject, Drifted, Moved, type Kind, type Tracker } from './adapter.ts'
import type { Gone } from './apply-round.ts'
import type { KnownItem } from './copy.ts'
import { TrackerError } from './http/tracker-error.ts'

export type Vanished = KnownItem & { kind: Kind }

const alwaysBelievable = 50

/** `vanished` has tasks first, and `total` is the number of tasks. */
export async function confirm(
  tracker: Tracker,
  vanished: readonly Vanished[],
  total: number,
  trackerId: string,
): Promise<Gone[]> {
  if (vanished.length === 0) return []
  const tasks = vanished.filter(({ kind }) => kind === 'task').length
  if (tasks > Math.max(alwaysBelievable, total / 4))
    throw new TrackerError(`the tracker lacks ${tasks} of ${total} tasks that it had`)
  const goneTasks = new Set<string>()
  const gone: Gone[] = []
  for (const { kind, externalId, parent } of vanished) {
    const isOfGone = parent !== null && goneTasks.has(parent)
    const fate = isOfGone ? 'deleted' : await tracker.fate(kind, externalId)
    if (fate === 'present') throw new Drifted(`${kind} ${externalId} is in no list, but exists`)
    if (fate === 'unknown') throw new TrackerError('the tracker does not say whether something was deleted')
    if (kind === 'task') goneTasks.add(externalId)
    gone.push({ kind, externalId })
  }
  if ((await readTrackerId(tracker)) !== trackerId) throw new AnotherProject()
  return gone
}

export async function readTrackerId(tracker: Tracker): Promise<string> {
  const access = await tracker.access()
  if (access.state === 'open') return access.trackerId
  if (access.state === 'moved') throw new Moved(access)
  throw new TrackerError(access.why, 403)
}
