// Tasks with the API's own names of fields, as people write them in a spreadsheet.

import type { CsvFormat } from '../format.ts'
import type { Task } from '../objects.ts'
import { statusMeaning } from '../status-words.ts'
import { categoryChoices, taskFields } from '../task-fields.ts'

/** Columns that decide what a row is rather than being fields of the task. */
const others = ['project', 'stage', 'stageCategory']

export const workgate: CsvFormat = {
  name: 'workgate',
  title: 'Tasks with the field names of this API (CSV)',
  how: `save a sheet as CSV with a title column, and any of ${[...Object.keys(taskFields), ...others].filter((name) => name !== 'title').join(', ')}`,
  lost: 'columns with other names',
  type: 'csv',
  recognizes: (columns) => columns.has('title'),
  open() {
    /** Rows without an id, by their title. */
    const seen = new Map<string, number>()
    return (row) => {
      const fields = Object.entries(taskFields).map(([name, read]) => read(row, name, 1))
      const task = Object.assign({}, ...fields) as Task
      const key = row.text('project')
      const stage = row.text('stage')
      const category = row.choice('stageCategory', categoryChoices)
      return [
        {
          ...task,
          kind: 'task',
          source: 'csv',
          project: key ? { id: key, name: key, key } : undefined,
          externalId: task.externalId ?? (task.number ? `#${task.number}` : nthTitle(seen, task.title)),
          stage: stage ? { name: stage, category: category ?? statusMeaning(stage).category } : undefined,
        },
      ]
    }
  },
}

/** Without an externalId or a number, the title identifies a task, and its occurrence if several have it. */
function nthTitle(seen: Map<string, number>, title: string): string {
  const short = title.replaceAll(',', ' ').slice(0, 180)
  const n = (seen.get(short) ?? 0) + 1
  seen.set(short, n)
  return n === 1 ? short : `${short} (${n})`
}
