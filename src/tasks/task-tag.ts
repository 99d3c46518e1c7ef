// The entity tag of a task: which task, which version of it, and what an answer shows of it. Only the first two are
// compared by If-Match, so that the tag of any answer about the task will do, whatever it shows beside the task.

import { createHash } from 'node:crypto'
import type { Input } from '../http/endpoint.ts'
import { invalid } from '../problem.ts'

const digest = (text: string, length: number) => createHash('sha256').update(text).digest('hex').slice(0, length)
const markOf = (taskId: string) => digest(taskId, 8)

export function taskTag({ id, version }: { id: string; version: number }, shown: string): string {
  return `"${markOf(id)}.${version}.${digest(shown, 16)}"`
}

const tagForm = /(W\/)?"([!#-~]*)"/g
const listForm = /^(\s*(W\/)?"[!#-~]*"\s*(,|$))+$/

/** The versions of the task that a request wants to find, or null where it takes any. */
export function versionsWanted(headers: Input<unknown>['headers'], taskId: string): string[] | null {
  const text = headers['if-match']?.join(',').trim()
  if (text === undefined || text === '*') return null
  if (!listForm.test(text)) {
    throw invalid({ in: 'header', name: 'If-Match', message: 'takes entity tags as ETag gives them, or *' })
  }
  const strong = [...text.matchAll(tagForm)].filter(([, weak]) => !weak).map(([, , tag]) => tag!.split('.'))
  return strong.flatMap(([mark, version]) =>
    mark === markOf(taskId) && /^\d{1,18}$/.test(version ?? '') ? [version!] : [],
  )
}
