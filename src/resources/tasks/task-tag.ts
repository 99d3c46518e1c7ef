// The entity tag of a task: which task, which version of it, and what an answer shows of it. Only the first two are
// compared by If-Match, so that the tag of any answer that shows the task alone will do, whatever it includes.

import { createHash } from 'node:crypto'
import type { Incoming } from '../../api/incoming.ts'
import { readTags } from '../../api/responses/entity-tags.ts'
import { invalid } from '../../api/problems/problem.ts'

const digest = (text: string, length: number) => createHash('sha256').update(text).digest('hex').slice(0, length)
const markOf = (taskId: string) => digest(taskId, 8)

export function taskTag({ id, version }: { id: string; version: number }, shown: string): string {
  return `"${markOf(id)}.${version}.${digest(shown, 16)}"`
}

/** The versions of the task that a request wants to find, or null where it takes any. */
export function versionsWanted(headers: Incoming['headers'], taskId: string): string[] | null {
  const tags = readTags(headers['if-match'])
  if (tags === undefined) {
    throw invalid({ in: 'header', name: 'If-Match', message: 'takes entity tags as ETag gives them, or *' })
  }
  if (tags === null || tags === '*') return null
  const strong = tags.filter(({ weak }) => !weak).map(({ opaque }) => opaque.split('.'))
  return strong.flatMap(([mark, version]) =>
    mark === markOf(taskId) && /^\d{1,18}$/.test(version ?? '') ? [version!] : [],
  )
}
