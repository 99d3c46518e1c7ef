// What an import would do that somebody should confirm: deleting tasks, and feeding a project from a second source.

import { escapeText } from '../runtime/text-lines.ts'

/** Of one project. */
export interface PlannedChange {
  key: string
  /** Tasks of a source that is new in a project that others feed. */
  added: number
  /** Tasks of the sources in the file, and those of them that the file no longer has. */
  existing: number
  missing: number
  /** The first titles of those, as JSON. */
  names: string | null
}

/** How many tasks may be deleted without a word: a file that was cut should not delete a project. */
export interface DeletionLimit {
  share: number
  count: number
}

export const defaultLimit: DeletionLimit = { share: 0.2, count: 50 }

export interface Concern {
  /** The option that says that it is meant. */
  option: string
  text: string
}

const tasks = (count: number) => `${count} ${count === 1 ? 'task' : 'tasks'}`

export function concernsOf(plan: readonly PlannedChange[], limit: DeletionLimit): Concern[] {
  return plan.map(({ key, added, existing, missing, names }) => {
    if (added > 0) {
      const text = `${key} has tasks of another source; the file would add ${tasks(added)} of a new one`
      return { option: '--add-source', text }
    }
    const titles = JSON.parse(names!) as string[]
    const shown = `${escapeText(titles.join(' · '))}${missing > titles.length ? ' · …' : ''}`
    const text = `--full would delete ${missing} of ${tasks(existing)} of ${key} (${shown})`
    const isTooMany = missing > limit.count || missing > existing * limit.share
    return { option: isTooMany ? `--delete-up-to ${missing}` : '--yes', text }
  })
}

/** Whether a plan contains no more than one that was confirmed. */
export const isCovered = (plan: readonly PlannedChange[], confirmed: readonly PlannedChange[]) =>
  plan.every(({ key, added, missing }) =>
    confirmed.some((one) => one.key === key && added <= one.added && missing <= one.missing),
  )
