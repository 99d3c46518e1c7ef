// Ids in paths.

import { notFound } from '../problems/problem.ts'
import { isUuid } from './values.ts'

/** An id in a path. What has not the form of one names nothing, and the database is not asked. */
export function idInPath(text: string, what: string): string {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw notFound(what)
  return id
}
