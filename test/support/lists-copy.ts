// Reads everything in a project from the lists, as a client that keeps a copy of it should have it.

import type { kinds } from '../../src/resources/changes/change.ts'

/** Returns the body of the response to GET, or undefined if there is nothing at the path. */
type Read = (path: string) => Promise<any>

/** The JSON of each object by its kind and id. */
export type Copy = Map<string, string>

const lists: Record<Exclude<(typeof kinds)[number], 'project'>, string> = {
  user: 'users?',
  team: 'teams?',
  board: 'boards?',
  stage: 'stages?',
  task: 'tasks?include=tags,watchers&',
  comment: 'comments?include=files&',
  file: 'files?',
  time_entry: 'time-entries?',
  document: 'documents?',
}

/** Without the counts that changes of other objects change. */
export async function readLists(read: Read, project: string): Promise<Copy> {
  const copy: Copy = new Map()
  const found = await read(`/projects/${project}`)
  if (!found) return copy
  copy.set(`project ${project}`, JSON.stringify(found.data))
  for (const [kind, list] of Object.entries(lists)) {
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data, meta } = await read(`/projects/${project}/${list}limit=200${cursor && `&cursor=${cursor}`}`)
      for (const { memberCount: _m, stageCount: _s, taskCount: _t, ...object } of data)
        copy.set(`${kind} ${object.id}`, JSON.stringify(object))
      cursor = meta.nextCursor
    }
  }
  return copy
}
