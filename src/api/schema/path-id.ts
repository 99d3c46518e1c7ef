// Parses ids in paths.

import { notFound } from '../problems/problem.ts'
import { isUuid } from './values.ts'

/** Returns the id in lower case. Throws the 404 if the text is not an id, without a database query. */
export function idInPath(text: string, what: string): string {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw notFound(what)
  return id
}
