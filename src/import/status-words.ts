// Tells what the name of a status or a section means. Such names are free text in most tools, and few exports say more.

import type { stageCategories, taskStates } from '../api/input/values.ts'

export interface StatusMeaning {
  category: (typeof stageCategories)[number]
  state: (typeof taskStates)[number]
}

const backlog: StatusMeaning = { category: 'backlog', state: 'open' }
const active: StatusMeaning = { category: 'active', state: 'open' }
const completed: StatusMeaning = { category: 'done', state: 'completed' }
const cancelled: StatusMeaning = { category: 'done', state: 'cancelled' }

// The first pattern that matches decides, so "Not done" and "To be released" come before "Done" and "Released".
const meanings: readonly [StatusMeaning, RegExp][] = [
  [
    cancelled,
    /\b(?:cancel|won.?t|will not|duplicate|reject|declined|abandon|obsolete|invalid|discarded|dropped|not (?:planned|needed|reproducible|a bug)|(?:cannot|can.?t|unable to) reproduce|abgelehnt|abgebrochen|verworfen|storniert|duplikat)/,
  ],
  [backlog, /\b(?:not|noch nicht|nicht|ready for (?:dev|work|implementation|planning|refinement)|ready to start)\b/],
  [
    active,
    /\b(?:to be|ready (?:for|to)|in progress|doing|started|ongoing|underway|wip|active|working|implementing|in (?:dev|development|work|arbeit|bearbeitung)|review|reviewing|approval|qa|tests?|testing|verification|validation|feedback|blocked|(?:a)?waiting|pending)\b/,
  ],
  [
    completed,
    /\b(?:done|closed?|resolved|released|completed?|finished|fixed|solved|shipped|deployed|delivered|merged|published|verified|archived?|live|in production|erledigt|geschlossen|fertig|abgeschlossen|behoben|gel(?:ö|oe)st)\b/,
  ],
]

/** Names that say nothing, such as "Ideas", are taken for a backlog. */
export function meaningOfStatus(name: string): StatusMeaning {
  const words = name.toLowerCase().replace(/[\s_-]+/g, ' ')
  return meanings.find(([, pattern]) => pattern.test(words))?.[0] ?? backlog
}
