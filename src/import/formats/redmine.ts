// Redmine: the CSV of a list of issues, with English or German names of columns.

import { originalName } from '../file-name.ts'
import { fold } from '../columns.ts'
import type { CsvFormat, FileInfo } from '../format.ts'
import { InvalidValue } from '../invalid.ts'
import type { ImportedObject, Person, Tag, Task } from '../objects.ts'
import { createParents } from '../parents.ts'
import { listOf } from '../people.ts'
import { own, type Row } from '../row.ts'
import { priorityMeaning, statusMeaning, unknownPriority } from '../status-words.ts'
import { completed, type StatusMeaning } from '../words.ts'

const ownNames: Readonly<Record<string, string>> = {
  zielversion: 'targetVersion',
  '% done': 'percentDone',
  '% erledigt': 'percentDone',
}

// Any other column is a custom field. Sums of hours have several names in German.
const standardColumns = new RegExp(
  `^(?:${[
    '#|project|tracker|parent task(?: subject)?|status|priority|subject|author|assignee|updated|last updated by|category',
    'start date|due date|(?:total )?(?:estimated|spent) time|created|closed|related issues|files|tags|private|description',
    'last notes|watchers',
    'projekt|übergeordnete.*|priorität|thema.*|autor|zugewiesen an|aktualisiert|zuletzt .* von|kategorie|beginn|abgabedatum',
    '.*geschätzte[rn] aufwand.*|.*aufgewendete zeit.*|angelegt|geschlossen am|zugehörige tickets|dateien|privat|beschreibung|letzte kommentare|beobachter',
  ].join('|')})$`,
  'i',
)

export const redmine: CsvFormat = {
  name: 'redmine',
  title: 'Redmine issues (CSV)',
  how: 'below the list of issues, choose "Also available in: CSV", with all columns and the description',
  lost: 'comments except the last one, files, relations, time that was spent, categories except as tags',
  type: 'csv',
  recognizes: (columns) =>
    columns.has('#') && columns.has('status') && (columns.has('subject') || columns.has('thema')),
  ownColumn: (heading) => {
    const name = own(ownNames, fold(heading)) ?? heading
    return standardColumns.test(heading) ? undefined : { name }
  },
  open: (file) => {
    const parents = createParents()
    return (row) => {
      const task = readIssue(row, file)
      const { externalId, parent } = task
      // Subprojects are in the same file, and the parent of an issue can be in another project.
      if (parent) task.parentSource = parents.find(parent)?.source
      return [
        ...parents.add(task, [externalId], parent && !task.parentSource ? parent : undefined),
        ...readLastNotes(row, task),
        ...notesOn(row, task),
      ]
    }
  },
}

function readIssue(row: Row, file: FileInfo): Task {
  const id = row.required('#').trim()
  if (!/^\d+$/.test(id)) throw new InvalidValue('#', id, 'must be a number')
  const project = row.text('Project', 'Projekt') ?? originalName(file.name)
  const status = row.requiredStage('Status')
  const meaning = status.meaning ?? meaningOf(row)
  const closedAt = row.moment(...closed)
  const priority = row.text('Priority', 'Priorität')
  return {
    kind: 'task',
    type: row.text('Tracker'),
    source: `redmine:${project}`,
    project: { id: project, name: project },
    externalId: id,
    number: Number(id),
    title: row.required('Subject', 'Thema'),
    description: row.text('Description', 'Beschreibung'),
    state: meaning.state,
    priority: priority ? priorityMeaning(priority) : undefined,
    stage: { board: project, name: status.name, category: meaning.category },
    parent: row.text('Parent task', 'Übergeordnetes Ticket')?.replace('#', ''),
    assignees: listOf(personOf(row, 'Assignee', 'Zugewiesen an')),
    creator: personOf(row, 'Author', 'Autor'),
    startDate: row.day('Start date', 'Beginn'),
    dueDate: row.day('Due date', 'Abgabedatum'),
    estimateSeconds: either(row.integer('Estimated time', 3_600), row.integer('Geschätzter Aufwand', 3_600)),
    completedAt: meaning.state === 'completed' ? closedAt : null,
    cancelledAt: meaning.state === 'cancelled' ? closedAt : null,
    createdAt: row.moment('Created', 'Angelegt') ?? undefined,
    updatedAt: row.moment('Updated', 'Aktualisiert') ?? undefined,
    tags: tagsOf(row),
    watchers: either(row.list('Watchers', '\n'), row.list('Beobachter', '\n'))?.map((name) => ({ name })),
  }
}

const closed = ['Closed', 'Geschlossen am'] as const

/** An issue that was closed has a time, which it keeps when it is reopened. Resolved issues are not closed yet. */
function meaningOf(row: Row): StatusMeaning {
  const closedAt = row.text(...closed)
  const meaning = statusMeaning(row.required('Status'), closedAt ? completed : undefined)
  return meaning.category === 'done' && closedAt === null ? statusMeaning('in review') : meaning
}

/** The only comment in the file. Neither its author nor its time is there: others may have changed the issue later. */
function readLastNotes(row: Row, { source, project, externalId, updatedAt }: Task): ImportedObject[] {
  const body = row.text('Last notes', 'Letzte Kommentare')
  if (!body) return []
  const id = `${externalId} ${body}`
  return [
    { kind: 'comment', source, project, externalId: id, task: externalId, body, createdAt: updatedAt },
    { kind: 'note', text: 'issues had comments, of which the file has only the last, without its author' },
  ]
}

function notesOn(row: Row, task: Task): ImportedObject[] {
  const isPrivate = /^(?:yes|ja)$/i.test(row.text('Private', 'Privat') ?? '')
  const priority = row.text('Priority', 'Priorität')
  return [
    ...(isPrivate
      ? [{ kind: 'note', text: 'issues were private: every member of the project can read them' } as const]
      : []),
    ...(priority && task.priority === undefined ? [unknownPriority(priority)] : []),
  ]
}

function personOf(row: Row, ...columns: readonly string[]): Person | null | undefined {
  const name = row.text(...columns)
  return name == null ? name : { name }
}

function tagsOf(row: Row): Tag[] | undefined {
  const category = row.text('Category', 'Kategorie')
  const tags = row.list('Tags', ',')
  if (category === undefined && tags === undefined) return undefined
  return [...(tags ?? []), category].flatMap((name) => (name ? [{ name }] : []))
}

const either = <T>(english: T | undefined, german: T | undefined) => (english === undefined ? german : english)
