// GitLab: the CSV of a project's issues.

import { fold } from '../columns.ts'
import type { CsvFormat, OwnColumn } from '../format.ts'
import { InvalidValue } from '../invalid.ts'
import { descriptionIn, type ImportedObject, type Person } from '../objects.ts'
import { own, type Row } from '../row.ts'
import { meaningOf } from './gitlab-labels.ts'
import { toolAt } from './hosts.ts'

const ownColumns: Readonly<Record<string, OwnColumn>> = {
  milestone: { name: 'milestone' },
  weight: { name: 'weight' },
  iteration: { name: 'iteration' },
  'health status': { name: 'healthStatus' },
  'epic title': { name: 'epic' },
  'parent title': { name: 'epic', read: (row, column) => (isTask(row) ? null : (row.text(column) ?? null)) },
}

export const gitlabCsv: CsvFormat = {
  name: 'gitlab-csv',
  title: 'GitLab issues (CSV)',
  how: 'in the list of issues, choose Actions > Export as CSV; GitLab sends it by e-mail',
  lost: 'comments, confidential and locked flags',
  type: 'csv',
  recognizes: (columns) => ['title', 'url', 'state', 'created at (utc)'].every((name) => columns.has(name)),
  ownColumn: (heading) => own(ownColumns, fold(heading)),
  open: () => (row) => {
    const isConfidential = row.text('Confidential')?.toLowerCase() === 'yes'
    const note = { kind: 'note', text: 'issues were confidential: every member of the project can read them' } as const
    return [readIssue(row), ...(isConfidential ? [note] : [])]
  },
}

function readIssue(row: Row): ImportedObject {
  const url = row.required('URL').trim()
  const [, path, number] = /^https?:\/\/[^/]+\/(.+?)(?:\/-)?\/(?:issues|work_items)\/(\d+)$/.exec(url) ?? []
  if (path === undefined) throw new InvalidValue('URL', url, 'must be the address of an issue')
  const isClosed = row.choice('State', { open: false, opened: false, closed: true }) ?? false
  const [author, username] = [row.text('Author'), row.text('Author Username')]
  const closedAt = row.utcMoment('Closed At (UTC)')
  const estimate = row.integer('Time Estimate')
  const labels = row.list('Labels', ',')
  const { state, stage } = meaningOf(isClosed, labels ?? [])
  return {
    kind: 'task',
    type: row.text('Type'),
    source: `${toolAt('gitlab', url)}:${path}`,
    project: { id: path, name: path.slice(path.lastIndexOf('/') + 1) },
    externalId: `${path}#${number}`,
    externalUrl: url,
    number: row.integer('IID') ?? row.integer('Issue ID') ?? undefined,
    title: row.required('Title'),
    ...descriptionIn('markdown', row.text('Description')),
    state,
    stage: { board: path, ...stage },
    parent: parentOf(row, path),
    assignees: assigneesOf(row),
    creator: username == null ? username : { login: username, name: author },
    startDate: row.day('Start Date'),
    dueDate: row.day('Due Date'),
    estimateSeconds: estimate === 0 ? null : estimate,
    completedAt: state === 'completed' ? closedAt : null,
    cancelledAt: state === 'cancelled' ? closedAt : null,
    createdAt: row.utcMoment('Created At (UTC)') ?? undefined,
    updatedAt: row.utcMoment('Updated At (UTC)') ?? undefined,
    tags: labels?.map((name) => ({ name })),
  }
}

/** The parent of a task is an issue of its project. That of an issue is an epic of a group, which has other numbers. */
function parentOf(row: Row, path: string): string | null | undefined {
  const parent = row.text('Parent IID')
  return parent && (isTask(row) ? `${path}#${parent.trim()}` : null)
}

const isTask = (row: Row) => row.text('Type')?.toLowerCase() === 'task'

/** Names can contain commas, and logins cannot. */
function assigneesOf(row: Row): Person[] | undefined {
  const logins = row.list('Assignee Username', ',')
  const text = row.text('Assignee') ?? ''
  const names = logins?.length === 1 ? [text] : text.split(/, ?/)
  return logins?.map((login, n) => (names.length === logins.length ? { login, name: names[n] } : { login }))
}
