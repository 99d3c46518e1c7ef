// Todoist: a project, as exported as a CSV file or as part of a backup. It contains no ids and no completed tasks.

import { originalName } from '../file-name.ts'
import type { CsvFormat, FileInfo } from '../format.ts'
import { createIds } from '../ids.ts'
import { descriptionIn, type ImportedObject, type Note, type StageRef, type Task } from '../objects.ts'
import { listOf } from '../people.ts'
import type { Row } from '../row.ts'
import { statusMeaning } from '../status-words.ts'
import { readDay } from '../times.ts'
import { personOf, readComment } from './todoist-notes.ts'

const rowTypes = { task: 'task', section: 'section', note: 'note', project_note: 'project_note', meta: null } as const
// The last priority is that of tasks without one.
const priorities = { 1: 'urgent', 2: 'high', 3: 'medium', 4: 'none' } as const

export const todoist: CsvFormat = {
  name: 'todoist',
  title: 'Todoist project (CSV)',
  how: 'in the menu of the project: Export as CSV. For all projects: Settings > Backups. The name of the file is that of the project',
  lost: 'reminders, recurrence, filters',
  type: 'csv',
  recognizes: (columns) => ['type', 'content', 'priority', 'indent'].every((name) => columns.has(name)),
  open: readProject,
}

/** A section is followed by its tasks, and a task by its comments and sub-tasks. */
function readProject(file: FileInfo): (row: Row) => ImportedObject[] {
  // The rows do not name the project. Files in backups are named like "Website [6Crg8jQ886Wh4P5g].csv".
  const fileName = originalName(file.name)
  const [, name = fileName, id = name] = /^(.+?)(?: \[(\w+)\])?$/.exec(fileName) ?? []
  const origin = { source: `todoist:${id}`, project: { id, name } }
  const taskId = createIds()
  const commentId = createIds()
  let section: StageRef | undefined
  let sections = 0
  let path: { id: string; title: string }[] = []

  return (row) => {
    const type = row.choice('TYPE', rowTypes)
    if (type === 'section') {
      const title = row.required('CONTENT')
      section = { board: name, name: title, category: statusMeaning(title).category }
      path = []
      return [{ ...origin, kind: 'stage', ...section, position: ++sections }]
    }
    if (type === 'task') {
      path = path.slice(0, Math.max((row.integer('INDENT') ?? 1) - 1, 0))
      const { title, ...rest } = readContent(row)
      const externalId = taskId([...path.map((one) => one.title), title].join(' > '))
      const parent = path.at(-1)?.id ?? null
      path.push({ id: externalId, title })
      const { notes, ...schedule } = readSchedule(row)
      const task = { externalId, title, ...rest, ...schedule, parent, ...placeIn(section) }
      return [{ ...origin, kind: 'task', ...task }, ...notes]
    }
    const task = path.at(-1)
    if (type === 'project_note' || (type === 'note' && !task)) return [note('comments on the project were left out')]
    return type === 'note' ? [readComment(row, origin, task!.id, commentId)] : []
  }
}

function readContent(row: Row): Pick<Task, 'title' | 'tags' | 'priority' | 'creator' | 'assignees'> {
  const content = row.required('CONTENT')
  const label = /(?<!\S)@(\S+)/g
  return {
    title: content.replace(label, '').replace(/\s+/g, ' ').trim() || content,
    tags: [...content.matchAll(label)].map(([, name]) => ({ name: name! })),
    priority: row.choice('PRIORITY', priorities) ?? undefined,
    creator: personOf(row.text('AUTHOR')),
    assignees: listOf(personOf(row.text('RESPONSIBLE'))),
  }
}

function placeIn(section: StageRef | undefined): Pick<Task, 'stage' | 'state'> {
  const meaning = section && statusMeaning(section.name)
  return { stage: section, state: meaning?.category === 'done' ? meaning.state : undefined }
}

type Schedule = Pick<Task, 'description' | 'descriptionFormat' | 'startDate' | 'dueDate' | 'estimateSeconds'> & {
  notes: Note[]
}

/** DATE is the day on which the task is to be done, or words such as "every day". */
function readSchedule(row: Row): Schedule {
  const description = row.text('DESCRIPTION')
  const text = row.text('DATE')
  const deadline = row.day('DEADLINE')
  const isDay = text != null && readDay(text, 'dmy') !== undefined
  const day = isDay ? row.day('DATE') : text && null
  const isAfterDeadline = day && deadline && day > deadline
  const remark = text && (!isDay || isAfterDeadline) ? `Date: ${text}` : null
  const isInDays = row.text('DURATION_UNIT')?.trim() === 'day'
  const estimateSeconds = row.integer('DURATION', isInDays ? 8 * 3_600 : 60)
  const notes = [
    ...(remark ? [note('dates that are not a day, such as "every Monday", were put in the description')] : []),
    ...(isInDays && estimateSeconds ? [note('days of duration were counted as 8 hours')] : []),
  ]
  return {
    ...descriptionIn('markdown', remark ? [description, remark].filter(Boolean).join('\n\n') : description),
    startDate: deadline ? (isAfterDeadline ? null : day) : deadline,
    dueDate: deadline ?? day,
    estimateSeconds,
    notes,
  }
}

const note = (text: string): Note => ({ kind: 'note', text })
