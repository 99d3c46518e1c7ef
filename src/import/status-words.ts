// Tells what the names of statuses, sections and priorities mean. In most tools they are free text, and few exports say
// more.

import type { Note } from './objects.ts'
import {
  active,
  backlog,
  cancelled,
  completed,
  priorityWords,
  statusWords,
  type Priority,
  type StatusMeaning,
} from './words.ts'

/** Undefined if the name says nothing, such as "Ideas". */
export function knownMeaning(name: string): StatusMeaning | undefined {
  const words = name.toLowerCase().replace(/[\s_-]+/g, ' ')
  return statusWords.find(([, pattern]) => pattern.test(words))?.[0]
}

/** Names that say nothing have the meaning `otherwise`, by default that of a backlog. */
export const statusMeaning = (name: string, otherwise = backlog): StatusMeaning => knownMeaning(name) ?? otherwise

/** What the values of the API say about a stage. */
export const meaningsByValue: Readonly<Record<string, StatusMeaning>> = {
  open: backlog,
  backlog,
  active,
  done: completed,
  completed,
  cancelled,
}

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
