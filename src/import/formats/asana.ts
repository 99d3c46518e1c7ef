// Asana: the CSV of a project or of a search.

import { fold } from '../columns.ts'
import type { CsvFormat, FileInfo } from '../format.ts'
import { originalName } from '../file-name.ts'
import { InvalidValue } from '../invalid.ts'
import { descriptionIn, type Note, type Project, type Task } from '../objects.ts'
import { createParents } from '../parents.ts'
import type { Row } from '../row.ts'
import { priorityMeaning, statusMeaning, unknownPriority } from '../status-words.ts'
import { completed } from '../words.ts'

// Any other column is a custom field.
const standardColumns = new Set(
  `task id, created at, completed at, last modified, name, section/column, assignee, assignee email, start date, due date, tags,
  notes, projects, parent task, blocked by (dependencies), blocking (dependencies), priority`.split(/,\s+/),
)

export const asana: CsvFormat = {
  name: 'asana',
  title: 'Asana tasks (CSV)',
  how: 'in a project, open the menu next to its name and choose Export/Print > CSV. The name of the file is that of the project',
  lost: 'comments, dependencies, all but one project of a task',
  type: 'csv',
  recognizes: (columns) => ['task id', 'name', 'section/column'].every((name) => columns.has(name)),
  ownColumn: (heading) => (standardColumns.has(fold(heading)) ? undefined : { name: heading }),
  open: (file) => {
    const projectOf = createProjects(file)
    const parents = createParents()
    return (row) => {
      // A subtask mostly has no project, and the name of its parent instead of the id. It is where its parent is.
      const parentName = row.text('Parent task')?.trim()
      const parent = parentName ? parents.find(parentName) : undefined
      const projects = row.list('Projects', ',') ?? []
      const { task, notes } = readTask(row, parent?.project ?? projectOf(projects))
      task.parent = parent?.externalId ?? (parentName ? undefined : null)
      if (projects.length > 1) notes.push(note('tasks were in several projects: they are in one of them here'))
      return [...parents.add(task, [task.title.trim()], parentName && !parent ? parentName : undefined), ...notes]
    }
  },
}

function readTask(row: Row, project: Project): { task: Task; notes: Note[] } {
  const id = row.required('Task ID').trim()
  // Spreadsheets turn the long ids into numbers such as 1.21E+15.
  if (!/^\d+$/.test(id)) throw new InvalidValue('Task ID', id, 'must be a whole number')
  const section = row.stage('Section/Column')
  const doneAt = row.moment('Completed At')
  const meaning = section?.meaning ?? statusMeaning(section?.name ?? '')
  const state = meaning.category === 'done' ? meaning.state : doneAt ? completed.state : 'open'
  const [name, email] = [row.text('Assignee'), row.text('Assignee Email')]
  const priority = row.text('Priority')
  const knownPriority = priority ? priorityMeaning(priority) : undefined
  const notes: Note[] = []
  if (state !== 'open' && doneAt === null)
    notes.push(note('tasks were not completed, but in a section such as Done: they are completed here'))
  if (priority && !knownPriority) notes.push(unknownPriority(priority))
  const task: Task = {
    kind: 'task',
    source: `asana:${project.name}`,
    project,
    externalId: id,
    externalUrl: `https://app.asana.com/0/0/${id}`,
    title: row.required('Name'),
    ...descriptionIn('text', row.text('Notes')),
    state,
    priority: priority === null ? 'none' : knownPriority,
    stage:
      section && section.name !== '(no section)'
        ? { board: project.name, name: section.name, category: meaning.category }
        : undefined,
    assignees: name === undefined && email === undefined ? undefined : name || email ? [{ name, email }] : [],
    startDate: row.day('Start Date'),
    dueDate: row.day('Due Date'),
    completedAt: state === 'completed' ? doneAt : null,
    cancelledAt: state === 'cancelled' ? doneAt : null,
    createdAt: row.moment('Created At') ?? undefined,
    updatedAt: row.moment('Last Modified') ?? undefined,
    tags: row.list('Tags', ',')?.map((tag) => ({ name: tag })),
  }
  return { task, notes }
}

/** Of several projects, chooses the one that the file is named after, or else that of the task before. */
function createProjects(file: FileInfo) {
  const fileName = originalName(file.name)
  let current: string | undefined
  return (names: readonly string[]): Project => {
    const known = names
      .filter((name) => plain(name) !== '' && plain(fileName).includes(plain(name)))
      .toSorted((a, b) => b.length - a.length)[0]
    current = known ?? names.find((name) => name === current) ?? names[0] ?? current ?? fileName
    return { id: current, name: current }
  }
}

const note = (text: string): Note => ({ kind: 'note', text })

/** The names of files have underscores instead of other characters, and may end with a date. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
