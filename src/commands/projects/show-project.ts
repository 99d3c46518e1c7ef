// workgate projects show: describes a project, with everything that it contains and the keys that can read it.

import type { Database } from '../../db/database.ts'
import { escapeText } from '../../runtime/text-lines.ts'
import { formatTable } from '../format-table.ts'
import { quote } from '../program.ts'
import { count, findProject, hours, type ProjectDescription } from './find-project.ts'
import { parseKeyAndOptions } from './usages.ts'

export function show(args: readonly string[]) {
  const { key, values } = parseKeyAndOptions('show', args, { json: { type: 'boolean' } })
  return async (db: Database) => {
    const project = await findProject(db, key)
    return values.json ? JSON.stringify(project, null, 2) : format(project)
  }
}

const maxShown = 10

function format(project: ProjectDescription): string {
  const { owner, members, boards, tasks, timeEntries, keys, savedOptions } = project
  return formatTable([
    ['Key', project.key],
    ['Name', escapeText(project.name)],
    ['Id', project.id],
    ['Status', project.status],
    ['Start date', project.startDate ?? 'none'],
    ['Due date', project.dueDate ?? 'none'],
    ['Owner', owner ? escapeText(owner.email ? `${owner.name} <${owner.email}>` : owner.name) : 'none'],
    ['Members', listed(members.map(({ name, role }) => `${name} (${role})`))],
    ...boards.map(({ name, archived, stages }) => [
      'Board',
      `${escapeText(name)}${archived ? ' (archived)' : ''}: ${listed(stages.map((stage) => stage.name))}`,
    ]),
    ['Tasks', `${tasks.open} open, ${tasks.completed} completed, ${tasks.cancelled} cancelled`],
    ['Comments', String(project.comments)],
    ['Time', `${hours(timeEntries.seconds)} in ${count(timeEntries.count, 'entry', 'entries')}`],
    ['Documents', String(project.documents)],
    [
      'Keys',
      listed(keys.map(({ name, scopeMode }) => (scopeMode === 'all_projects' ? `${name} (all projects)` : name))),
    ],
    ...savedOptions.map(({ name, options }) => [
      'Saved options',
      escapeText(`${name}: ${options.map(quote).join(' ')}`),
    ]),
    ['Last change', project.lastChangeAt],
  ])
}

/** Names the first ones, and counts the others. */
function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const more = names.length - maxShown
  return escapeText(names.slice(0, maxShown).join(', ')) + (more > 0 ? ` and ${more} more` : '')
}
