// Tells what the names of statuses, sections and priorities mean. In most tools they are free text, and few exports say
// more.

import type { priorities, stageCategories, taskStates } from '../api/input/values.ts'
import type { Note } from './objects.ts'

export interface StatusMeaning {
  category: (typeof stageCategories)[number]
  state: (typeof taskStates)[number]
}

const backlog: StatusMeaning = { category: 'backlog', state: 'open' }
const active: StatusMeaning = { category: 'active', state: 'open' }
export const completed: StatusMeaning = { category: 'done', state: 'completed' }
export const cancelled: StatusMeaning = { category: 'done', state: 'cancelled' }

// The first pattern that matches decides, so "Not done" and "To be released" come before "Done" and "Released".
const statusWords: readonly [StatusMeaning, RegExp][] = [
  [
    cancelled,
    /\b(?:cancel|won['’]?t(?: ?(?:do|fix))?\b|will not|duplicate|reject|declined|abandon|obsolete|invalid|discarded|dropped|not (?:planned|needed|reproducible|a bug)|(?:cannot|can.?t|unable to) reproduce|abgelehnt|abgewiesen|abgebrochen|verworfen|storniert|duplikat)/,
  ],
  [
    backlog,
    /\b(?:not|nicht|to ?do|backlog|open|reopened|new|triage|inbox|later|selected for|planned|ready for (?:dev|work|implementation|planning|refinement)|ready to start|offen|neu|zu erledigen|geplant)\b/,
  ],
  [
    active,
    /\b(?:to be|ready (?:for|to)|in progress|doing|started|ongoing|underway|wip|active|working|implementing|in (?:dev|development|work|arbeit|bearbeitung)|review|reviewing|approval|qa|tests?|testing|verification|validation|feedback|blocked|(?:a)?waiting|pending)\b/,
  ],
  [
    completed,
    /\b(?:done|closed?|resolved|released|completed?|finished|fixed|solved|shipped|deployed|delivered|merged|published|verified|archived?|live|in production|erledigt|geschlossen|fertig|abgeschlossen|behoben|gelöst)\b/,
  ],
]

/** Names that say nothing, such as "Ideas", have the meaning `otherwise`, by default that of a backlog. */
export function statusMeaning(name: string, otherwise = backlog): StatusMeaning {
  const words = name.toLowerCase().replace(/[\s_-]+/g, ' ')
  return statusWords.find(([, pattern]) => pattern.test(words))?.[0] ?? otherwise
}

type Priority = (typeof priorities)[number]

const priorityWords: readonly [Priority, RegExp][] = [
  ['none', /^(?:-|none|no priority|not set|unset)$/],
  ['urgent', /\b(?:urgent|highest|critical|blocker|immediate|show ?stopper|p0|dringend|sofort|kritisch)\b/],
  ['high', /\b(?:high|major|p1|hoch)\b/],
  ['medium', /\b(?:medium|med|normal|moderate|p2|mittel)\b/],
  ['low', /\b(?:low|lowest|minor|trivial|p[34]|niedrig|gering)\b/],
]

/** Undefined if the name says nothing. */
export function priorityMeaning(name: string): Priority | undefined {
  const words = name.trim().toLowerCase()
  return priorityWords.find(([, pattern]) => pattern.test(words))?.[0]
}

export const unknownPriority = (name: string): Note => ({
  kind: 'note',
  text: 'priorities of unknown meaning were left out',
  value: name.trim(),
})
