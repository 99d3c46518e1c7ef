// Reads the reports of time trackers, which have the same columns.

import { cut, idOf } from '../ids.ts'
import type { ImportedObject, Note, Person, Project, Task, TimeEntry } from '../objects.ts'
import type { Row } from '../row.ts'
import { addSeconds } from '../times.ts'

/**
 * An entry with the name of a task comes with this task, in case the project does not have it. Entries of the same name in a
 * project have the same task. Reports have no ids: an entry is the n-th of a person on a day in a project, so that one whose
 * times or text were corrected is the same.
 */
export function readTimeSheet(tool: string, secondsOf: (row: Row) => number | null | undefined) {
  const counts = new Map<string, number>()
  return (row: Row): ImportedObject[] => {
    const project = projectOf(row)
    const origin = { source: `${tool}:${project?.id ?? ''}`, project }
    const description = row.text('Description')
    const name = row.text('Task')?.trim() ?? null
    const user = userOf(row)
    const times = timesOf(row, secondsOf(row))
    const day = `${user.email ?? user.name} ${times.spentOn}`
    const n = (counts.get(`${origin.source} ${day}`) ?? 0) + 1
    counts.set(`${origin.source} ${day}`, n)
    const entry: TimeEntry = {
      ...origin,
      kind: 'time_entry',
      externalId: `${day} ${n}`,
      // With --project, all tasks are in one project.
      task: name && idOf(project ? `${project.id}: ${name}` : name),
      named: { title: name ?? description?.trim() ?? '', text: [name, description].filter(Boolean).join(' ') },
      user,
      description,
      ...times,
      billable: row.choice('Billable', { yes: true, no: false }) ?? undefined,
    }
    const notes: Note[] = []
    // The entries of a task can have different tags, so the task does not get them.
    if (row.text('Tags') != null) notes.push({ kind: 'note', text: 'tags of time entries were left out' })
    if (entry.endedAt === null) notes.push({ kind: 'note', text: 'time entries without an end became running timers' })
    if (entry.timed === false)
      notes.push({ kind: 'note', text: 'time entries without a start time have only a day and a duration' })
    const task: Task[] =
      name && entry.task
        ? [{ ...origin, kind: 'task', externalId: entry.task, title: cut(name, 500), ofEntries: true }]
        : []
    return [...task, entry, ...notes]
  }
}

function timesOf(
  row: Row,
  seconds: number | null | undefined,
): Pick<TimeEntry, 'spentOn' | 'startedAt' | 'endedAt' | 'timed'> {
  const spentOn = row.day('Start date') ?? row.required('Start date')
  if (row.text('Start time') == null) {
    if (seconds == null) throw row.invalid('Start time', 'is missing, and so is the duration')
    const startedAt = `${spentOn}T00:00:00Z`
    return { spentOn, startedAt, endedAt: addSeconds(startedAt, seconds), timed: false }
  }
  const startedAt = row.momentOf(['Start date'], ['Start time'])!
  const endedAt =
    row.momentOf(['End date', 'Stop date'], ['End time', 'Stop time']) ??
    (seconds == null ? null : addSeconds(startedAt, seconds))
  return { spentOn, startedAt, endedAt }
}

/** Projects of different clients can have the same name. */
function projectOf(row: Row): Project | undefined {
  const name = row.text('Project')
  const client = row.text('Client')
  if (name === undefined) return undefined
  // These entries would otherwise need a file of their own.
  if (name === null) return { id: 'No project', name: 'No project' }
  return client == null ? { id: name, name } : { id: `${client} / ${name}`, name, description: `Client: ${client}` }
}

function userOf(row: Row): Person {
  const email = row.text('Email')
  return { email, name: email == null ? row.required('User') : row.text('User') }
}
