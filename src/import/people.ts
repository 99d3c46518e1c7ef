// Reads people from cells of CSV files.

import type { Person } from './objects.ts'

/** An e-mail address with or without a name before it, or else a name, by which the tool also knows the person. */
export function personFrom(text: string): Person {
  const [, name, email] = /^\s*([^<>]*?)\s*<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text) ?? []
  if (email !== undefined) return { email, name }
  return text.includes('@') ? { email: text } : { login: text, name: text }
}

/** The assignees of a tool whose tasks have at most one. */
export const listOf = (person: Person | null | undefined) => (person === undefined ? undefined : person ? [person] : [])
