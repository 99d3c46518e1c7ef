// Reads people from cells of CSV files.

import type { Person } from './objects.ts'

/** An e-mail address, or else a name, by which the tool also knows the person. */
export const personFrom = (text: string): Person => (text.includes('@') ? { email: text } : { login: text, name: text })

/** The assignees of a tool whose tasks have at most one. */
export const listOf = (person: Person | null | undefined) => (person === undefined ? undefined : person ? [person] : [])
