// Reads the reports of time trackers, which have the same columns.

import { cut, idOf } from '../ids.ts'
import type { ImportedObject, Note, Person, Project, Task, TimeEntry } from '../objects.ts'
import type { Row } from '../row.ts'
import { addSeconds } from '../times.ts'

/**
 * Each entry comes with a task of its own, for those that name no task of the project. Entries of the same name in a project
 * have the same task. Reports have no ids: an entry is the n-th of a person on a day in a project, so that one whose times
 * or text were corrected is the same.
 */
export function readTimeSheet(tool: string, secondsOf: (row: Row) => number | null | undefined) {
  const counts = new Map<string, number>()
  return (row: Row): ImportedObject[] => {
    const project = projectOf(row)
    const origin = { source: `${tool}:${project?.id ?? ''}`, project }
    const description = row.text('Description')
    const title = (row.text('Task') ?? description ?? 'Time without a description').trim()
    const user = userOf(row)
    const startedAt = row.momentOf(['Start date'], ['Start time']) ?? row.required('Start date')
    const seconds = secondsOf(row)
    const day = `${user.email ?? user.name} ${startedAt.slice(0, 10)}`
    const n = (counts.get(`${origin.source} ${day}`) ?? 0) + 1
    counts.set(`${origin.source} ${day}`, n)
    const entry: TimeEntry = {
      ...origin,
      kind: 'time_entry',
      externalId: `${day} ${n}`,
      // With --project, all tasks are in one project.
      task: idOf(project ? `${project.id}: ${title}` : title),
      named: { title, text: [row.text('Task'), description].filter(Boolean).join(' ') },
      user,
      description,
      spentOn: startedAt.slice(0, 10),
      startedAt,
      endedAt:
        row.momentOf(['End date', 'Stop date'], ['End time', 'Stop time']) ??
        (seconds == null ? null : addSeconds(startedAt, seconds)),
      billable: row.choice('Billable', { yes: true, no: false }) ?? undefined,
    }
    const notes: Note[] = []
    // The entries of a task can have different tags, so the task does not get them.
    if (row.text('Tags') != null) notes.push({ kind: 'note', text: 'tags of time entries were left out' })
    if (entry.endedAt === null) notes.push({ kind: 'note', text: 'time entries without an end became running timers' })
    const task: Task = { ...origin, kind: 'task', externalId: entry.task, title: cut(title, 500), ofEntries: true }
    return [task, entry, ...notes]
  }
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
