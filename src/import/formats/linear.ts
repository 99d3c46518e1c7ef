// Linear: the CSV that "Export data" writes, of a workspace, a team or a view.

import { projectKeyPattern } from '../../api/input/object-names.ts'
import { fold } from '../columns.ts'
import type { CsvFormat, OwnColumn } from '../format.ts'
import { InvalidValue } from '../invalid.ts'
import { descriptionIn, type Person, type Task } from '../objects.ts'
import { listOf, personFrom } from '../people.ts'
import { own, type Row } from '../row.ts'
import { statusMeaning } from '../status-words.ts'
import { cancelled, completed, type StatusMeaning } from '../words.ts'

const priorities = { 'no priority': 'none', low: 'low', medium: 'medium', high: 'high', urgent: 'urgent' } as const

const readText = (row: Row, column: string) => unquoteOrNull(row.text(column)) ?? null

const ownColumns: Readonly<Record<string, OwnColumn>> = {
  estimate: { name: 'estimate' },
  'cycle name': { name: 'cycle', read: readCycle },
  'project milestone': { name: 'milestone', read: readText },
  initiatives: { name: 'initiatives', read: readText },
  roadmaps: { name: 'roadmaps', read: readText },
  'sla status': { name: 'slaStatus' },
}

export const linear: CsvFormat = {
  name: 'linear',
  title: 'Linear issues (CSV)',
  how: 'in Linear, choose Settings > Import/Export > Export data',
  lost: 'comments, relations; projects, except as tags',
  type: 'csv',
  recognizes: (columns) => ['id', 'team', 'title', 'status', 'canceled'].every((name) => columns.has(name)),
  ownColumn: (heading) => own(ownColumns, fold(heading)),
  open: () => (row) => [readTask(row)],
}

function readTask(row: Row): Task {
  const id = row.required('ID').trim()
  const [, key, number] = /^(.+)-(\d+)$/.exec(id) ?? []
  if (key === undefined) throw new InvalidValue('ID', id, 'must be an id such as ENG-12')
  const team = row.text('Team') ?? key
  const status = row.requiredStage('Status')
  const meaning = status.meaning ?? meaningOf(row)
  // Projects of Linear cross teams, and issues are numbered by team.
  const [labels, project] = [row.list('Labels', ','), row.text('Project')]
  return {
    kind: 'task',
    source: `linear:${key}`,
    project: { id: key, name: team, key: projectKeyPattern.test(key) ? key : undefined },
    externalId: id,
    number: Number(number),
    title: unquote(row.required('Title')),
    ...descriptionIn('markdown', unquoteOrNull(row.text('Description'))),
    state: meaning.state,
    priority: row.choice('Priority', priorities) ?? undefined,
    stage: { board: team, name: status.name, category: meaning.category },
    parent: row.text('Parent issue'),
    assignees: listOf(personOf(row, 'Assignee')),
    creator: personOf(row, 'Creator'),
    dueDate: row.day('Due Date'),
    completedAt: meaning === completed ? row.moment('Completed') : null,
    cancelledAt: meaning === cancelled ? row.moment('Canceled') : null,
    createdAt: row.moment('Created') ?? undefined,
    updatedAt: row.moment('Updated') ?? undefined,
    tags: labels && [...labels, project].flatMap((name) => (name ? [{ name }] : [])),
  }
}

/** The times tell the type of a status, and its name only whether work on it has started. */
function meaningOf(row: Row): StatusMeaning {
  const times = [row.moment('Canceled'), row.moment('Completed'), row.moment('Started')]
  const [canceledAt, completedAt, startedAt] = times
  if (canceledAt) return cancelled
  if (completedAt) return completed
  const open = statusMeaning(startedAt ? 'started' : 'backlog')
  const meaning = statusMeaning(row.required('Status'), open)
  return meaning.category === 'done' && completedAt === null ? open : meaning
}

/** Linear shows a cycle without a name by its number. */
function readCycle(row: Row, column: string): string | null {
  const [name, number] = [readText(row, column), row.text('Cycle Number')]
  return name ?? (number == null ? null : `Cycle ${number}`)
}

function personOf(row: Row, column: string): Person | null | undefined {
  const text = row.text(column)
  return text == null ? text : personFrom(text)
}

/** Linear puts a quote before text that a spreadsheet would take for a formula. */
const unquote = (text: string) => text.replace(/^'(?=[-+=@])/, '')
const unquoteOrNull = (text: string | null | undefined) => (text == null ? text : unquote(text))
