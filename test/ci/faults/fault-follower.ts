// Keeps a copy of the tasks of a project by waiting for their changes, whatever happens.

import type { ApiResponse } from './ask.ts'

/** `attempt` returns undefined unless the response is a page, or says that the cursor has expired. */
export function createFollower(attempt: (target: string) => Promise<ApiResponse | undefined>) {
  const titles = new Map<string, string>()
  let cursor: string | undefined
  let copies = 0

  /** Returns true if this was the last page, for now. */
  async function readPage(seconds: number): Promise<boolean> {
    if (cursor === undefined) titles.clear()
    const response = await attempt(`/changes?kinds=task&limit=200&wait=${seconds}${cursor ? `&cursor=${cursor}` : ''}`)
    if (!response) return false
    if (cursor === undefined) copies++
    const { status, body } = response
    cursor = status === 410 ? undefined : body.meta.cursor
    if (status === 410) return false
    for (const { op, id, object } of body.data) {
      if (op === 'upsert') titles.set(id, object.title)
      else titles.delete(id)
    }
    return !body.meta.hasMore
  }

  return {
    waitOn: () => readPage(1),
    /** Returns the titles by id. */
    async catchUp(): Promise<ReadonlyMap<string, string>> {
      while (!(await readPage(0)));
      return titles
    },
    /** How many times it had to begin. */
    copies: () => copies,
  }
}
