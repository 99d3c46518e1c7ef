// Tasks with the API's own names of fields, as people write them in a spreadsheet.

import type { CsvFormat } from '../format.ts'
import { InvalidValue } from '../invalid.ts'
import type { Task } from '../objects.ts'
import type { Row } from '../row.ts'
import { statusMeaning, type StatusMeaning } from '../status-words.ts'
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
    const given = new Set<string>()
    const parents = createParents()
    return (row) => {
      const fields = Object.entries(taskFields).map(([name, read]) => read(row, name, 1))
      const task = Object.assign({}, ...fields) as Task
      const key = row.text('project')
      const stage = row.text('stage')
      const category = row.choice('stageCategory', categoryChoices)
      const meaning = stage ? meaningOf(stage, category) : undefined
      const externalId = task.externalId ?? (task.number ? `#${task.number}` : nthTitle(seen, task.title))
      const name = task.externalId ? 'externalId' : 'number'
      if (given.has(externalId)) throw new InvalidValue(name, row.text(name) ?? '', 'is also that of an earlier row')
      given.add(externalId)
      const whole: Task = {
        ...task,
        kind: 'task',
        // All spreadsheets are one source, so that a file with another name updates the tasks, and standard input, too.
        source: 'csv',
        project: key ? { id: key, name: key, key, byKey: true } : undefined,
        externalId,
        state: task.state ?? stateOf(task, meaning),
        stage: stage && meaning ? { name: stage, category: meaning.category } : undefined,
      }
      return [whole, ...parents(row, whole)]
    }
  },
}

function meaningOf(stage: string, category: StatusMeaning['category'] | null | undefined): StatusMeaning {
  const meaning = statusMeaning(stage)
  if (category == null || category === meaning.category) return meaning
  return { category, state: category === 'done' ? 'completed' : 'open' }
}

/** The state, if the row does not name it. A task that was completed here is not opened again by the name of its stage. */
function stateOf({ completedAt, cancelledAt }: Task, stage: StatusMeaning | undefined): Task['state'] {
  if (completedAt) return 'completed'
  if (cancelledAt) return 'cancelled'
  return stage?.category === 'done' ? stage.state : undefined
}

/**
 * Returns a function that turns the parent of a task, an externalId or the number of a row, into an externalId. It returns
 * the tasks that are repeated, because this row is their parent.
 */
function createParents() {
  /** Of rows, by #1 and 1. An externalId is preferred to the same number of another row. */
  const ids = new Map<string, string>()
  const waiting = new Map<string, Task[]>()
  return (row: Row, task: Task): Task[] => {
    const { parent, number, externalId } = task
    if (parent === undefined) return []
    const [, digits] = /^#?(\d+)$/.exec(parent?.trim() ?? '') ?? []
    if (row.text('externalId') === undefined) {
      if (digits !== undefined && row.text('number') !== undefined) task.parent = `#${digits}`
      else if (parent !== null) task.parent = shortTitle(parent)
      return []
    }
    if (number !== undefined) {
      ids.set(`#${number}`, externalId)
      if (!ids.has(`${number}`)) ids.set(`${number}`, externalId)
    }
    if (/^\d+$/.test(externalId)) ids.set(externalId, externalId)
    // If the externalIds are numbers, so is that of the parent, which may follow.
    const isExternalId = parent?.trim() === digits && /^\d+$/.test(externalId)
    if (parent !== null && digits !== undefined && !isExternalId) {
      const known = ids.get(parent.trim())
      if (known !== undefined) task.parent = known
      else waiting.set(digits, [...(waiting.get(digits) ?? []), task])
    }
    const children = waiting.get(`${number}`) ?? []
    waiting.delete(`${number}`)
    return children.map((child) => ({ ...child, parent: externalId }))
  }
}

/** Without an externalId or a number, the title identifies a task, and its occurrence if several have it. */
function nthTitle(seen: Map<string, number>, title: string): string {
  const short = shortTitle(title)
  const n = (seen.get(short) ?? 0) + 1
  seen.set(short, n)
  return n === 1 ? short : `${short} (${n})`
}

const shortTitle = (title: string) => title.replaceAll(',', ' ').slice(0, 180)
