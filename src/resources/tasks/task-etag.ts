// Computes the entity tag of a task from its id, its version and the response body. If-Match compares only the first
// two, so the tag of any response that contains only the task works, whatever it includes.

import { createHash } from 'node:crypto'
import type { Incoming } from '../../api/incoming.ts'
import { readTags } from '../../api/responses/representation.ts'
import { invalid } from '../../api/problems/problem.ts'

const digest = (text: string, length: number) => createHash('sha256').update(text).digest('hex').slice(0, length)
const taskDigest = (taskId: string) => digest(taskId, 8)

export function taskEtag({ id, version }: { id: string; version: number }, body: string): string {
  return `"${taskDigest(id)}.${version}.${digest(body, 16)}"`
}

/** Returns the versions of the task in If-Match, or null if any version is accepted. */
export function readIfMatchVersions(headers: Incoming['headers'], taskId: string): string[] | null {
  const tags = readTags(headers['if-match'])
  if (tags === undefined) {
    throw invalid({ in: 'header', name: 'If-Match', message: 'must be * or entity tags as returned in ETag' })
  }
  if (tags === null || tags === '*') return null
  const prefix = `${taskDigest(taskId)}.`
  return tags
    .filter(({ weak, opaque }) => !weak && opaque.startsWith(prefix))
    .map(({ opaque }) => opaque.split('.')[1]!)
    .filter((version) => /^\d{1,18}$/.test(version))
}
