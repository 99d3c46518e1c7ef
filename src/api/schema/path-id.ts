// Parses ids in paths.

import { notFound } from '../problems/problem.ts'
import { isUuid } from './values.ts'

/** Throws the 404 for a text that is not an id, without asking the database. */
export function idInPath(text: string, what: string): string {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw notFound(what)
  return id
}
