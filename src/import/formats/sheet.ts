// A spreadsheet of tasks, as people write it. Its columns are asked for by the names of fields, whatever their headings.

import { projectKeyPattern } from '../../api/input/object-names.ts'
import type { CsvFormat } from '../format.ts'
import type { Project, Task } from '../objects.ts'
import { createParents } from '../parents.ts'
import type { NamedStage, Row } from '../row.ts'
import { isSheet } from '../sheet-columns.ts'
import { statusMeaning } from '../status-words.ts'
import { categoryIn, taskFields } from '../task-fields.ts'
import type { StatusMeaning } from '../words.ts'

export const sheet: CsvFormat = {
  name: 'sheet',
  title: 'Spreadsheet of tasks (.xlsx, CSV)',
  how: 'save a sheet as .xlsx or CSV, with one row per task, and a title and other fields in its columns',
  lost: 'columns that mean no field',
  type: 'csv',
  columns: [],
  recognizes: isSheet,
  // All spreadsheets are one source, so that a file with another name updates the tasks, and standard input, too.
  open: () => createSheetReader(() => 'csv'),
}

/**
 * `sourceOf` gets the project of a row. In the files of tools, the time of completion is that of the end, which the stage
 * tells more about.
 */
export function createSheetReader(sourceOf: (project: string) => string, isOfTool = false): (row: Row) => Task[] {
  /** Rows without an id, by their title. */
  const seen = new Map<string, number>()
  const given = new Set<string>()
  const parents = createParents()
  return (row) => {
    const fields = Object.entries(taskFields).map(([name, read]) => read(row, name, 1))
    const task = Object.assign({ fields: row.ownFields() }, ...fields) as Task
    const project = row.text('project')
    const stage = row.stage('stage')
    const category = categoryIn(row, 'stageCategory')
    const meaning = stage ? meaningOf(stage, category) : undefined
    const externalId = task.externalId ?? (task.number ? `#${task.number}` : nthTitle(seen, task.title))
    if (given.has(externalId))
      throw row.invalid(task.externalId ? 'externalId' : 'number', 'is also that of an earlier row')
    given.add(externalId)
    const end = isOfTool && meaning?.category === 'done' ? meaning.state : stateOf(task, meaning)
    const state = task.state ?? end
    const whole: Task = {
      ...task,
      kind: 'task',
      source: sourceOf(project ?? ''),
      project: project ? projectFrom(project) : undefined,
      externalId,
      sheetRow:
        !isOfTool && project && task.externalId && task.number ? { project, parent: task.parent?.trim() } : undefined,
      state,
      cancelledAt: task.cancelledAt ?? (isOfTool && state === 'cancelled' ? task.completedAt : task.cancelledAt),
      stage: stage && meaning ? { name: stage.name, category: meaning.category } : undefined,
    }
    return withParent(row, whole, parents)
  }
}

/** A key, or a name. */
const projectFrom = (text: string): Project =>
  projectKeyPattern.test(text) ? { id: text, name: text, key: text, byKey: true } : { id: text, name: text }

function meaningOf(stage: NamedStage, category: StatusMeaning['category'] | null | undefined): StatusMeaning {
  const meaning = stage.meaning ?? statusMeaning(stage.name)
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
 * The parent of a task is an externalId or the number of a row, as 12 or #12, and without either a title. Returns the tasks
 * whose parents are known by now.
 */
function withParent(row: Row, task: Task, parents: ReturnType<typeof createParents>): Task[] {
  const { parent, number, externalId } = task
  // The file has no parents.
  if (parent === undefined) return [task]
  const named = parent?.trim() ?? ''
  const [, digits] = /^#?(\d+)$/.exec(named) ?? []
  if (row.text('externalId') === undefined) {
    if (digits !== undefined && row.text('number') !== undefined) task.parent = `#${digits}`
    else if (parent) task.parent = shortTitle(parent)
    return [task]
  }
  const isNumeric = /^\d+$/.test(externalId)
  // If the externalIds are numbers, so is that of the parent, which may follow. An externalId is preferred to a number.
  const isByNumber = digits !== undefined && !(named === digits && isNumeric)
  const known = isByNumber ? parents.find(named) : undefined
  if (known) task.parent = known.externalId
  const names = number === undefined ? [] : [`#${number}`, ...(parents.find(`${number}`) ? [] : [`${number}`])]
  return parents.add(task, isNumeric ? [...names, externalId] : names, isByNumber && !known ? named : undefined)
}

/** Without an externalId or a number, the title identifies a task, and its occurrence if several have it. */
function nthTitle(seen: Map<string, number>, title: string): string {
  const short = shortTitle(title)
  const n = (seen.get(short) ?? 0) + 1
  seen.set(short, n)
  return n === 1 ? short : `${short} (${n})`
}

const shortTitle = (title: string) => title.replaceAll(',', ' ').slice(0, 180)
