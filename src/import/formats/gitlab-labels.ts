// GitLab has only open and closed issues. What else is known of their stage is in labels, such as "workflow::doing" and
// "wontfix".

import { knownMeaning, statusMeaning } from '../status-words.ts'
import type { StatusMeaning } from '../words.ts'

const scoped = /^(?:workflow|status|state|stage)::\s*(.+)$/i

interface Meaning {
  state: StatusMeaning['state']
  stage: { name: string; category: StatusMeaning['category'] }
}

/** The labels of a closed issue say whether it was done, and those of an open one where it is. */
export function meaningOf(isClosed: boolean, labels: readonly string[], isDuplicate = false): Meaning {
  if (isClosed) {
    const isCancelled = isDuplicate || labels.some((label) => knownMeaning(label)?.state === 'cancelled')
    return { state: isCancelled ? 'cancelled' : 'completed', stage: { name: 'Closed', category: 'done' } }
  }
  const name = labels.map((label) => scoped.exec(label)?.[1]?.trim()).find(Boolean)
  const stage = name ? { name, category: statusMeaning(name).category } : { name: 'Open', category: 'backlog' as const }
  return { state: 'open', stage }
}
