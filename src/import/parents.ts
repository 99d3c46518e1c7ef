// Parents of tasks that come later in the file than their children.

import type { Task } from './objects.ts'

type Parent = Pick<Task, 'source' | 'project' | 'externalId'>

/** For files that do not name the parent of a task by its externalId and source. */
export function createParents() {
  const known = new Map<string, Parent>()
  const waiting = new Map<string, Task[]>()

  return {
    find: (name: string) => known.get(name),
    /**
     * Adds a task under its own names. `parent` names one that is not known yet. Returns the task, and those before it of
     * which it is the parent, with it: they are repeated, and the later one counts.
     */
    add(task: Task, names: readonly string[], parent?: string): Task[] {
      const { source, project, externalId } = task
      const isNews = (child: Task) => child.parent !== externalId || child.source !== source
      const children = names.flatMap((name) => waiting.get(name) ?? []).filter(isNews)
      for (const name of names) {
        waiting.delete(name)
        known.set(name, { source, project, externalId })
      }
      if (parent !== undefined) waiting.set(parent, [...(waiting.get(parent) ?? []), task])
      return [task, ...children.map((child) => ({ ...child, parent: externalId, parentSource: source }))]
    },
  }
}
