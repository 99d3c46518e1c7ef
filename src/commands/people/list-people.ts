// workgate people list: lists the users with their projects and tasks, or only those who are probably one person.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/statements/query.ts'
import { escapeText } from '../../runtime/text-lines.ts'
import type { CommandContext } from '../command-context.ts'
import { formatTable } from '../format-table.ts'
import { parseOptions } from '../parse-options.ts'
import { asTyped } from '../program.ts'
import { findDuplicates } from './find-duplicates.ts'
import { peopleUsages } from './usages.ts'
import listPeopleSql from '../../../sql/people/list-people.sql'

interface PersonRow {
  id: string
  name: string
  email: string | null
  /** A JSON array of keys. */
  projects: string
  tasks: number
  uses: number
}

const listPeople = query<PersonRow>(listPeopleSql)

export function list(args: readonly string[], { program }: CommandContext) {
  const types = { duplicates: { type: 'boolean' }, json: { type: 'boolean' } } as const
  const { values } = parseOptions(args, types, peopleUsages.list)
  return async (db: Database) => {
    const rows = await listPeople(db, {})
    if (values.duplicates) {
      const groups = findDuplicates(rows)
      if (values.json)
        return JSON.stringify(
          groups.map((group) => group.map(shown)),
          null,
          2,
        )
      return groups.length === 0 ? 'No two users seem to be the same person.' : formatGroups(groups, program)
    }
    if (values.json) return JSON.stringify(rows.map(shown), null, 2)
    return rows.length === 0 ? 'There are no users.' : formatPeople(rows)
  }
}

const keysOf = (row: PersonRow) => JSON.parse(row.projects) as string[]

const shown = (row: PersonRow) => {
  const { id, name, email, tasks } = row
  return { id, name, email, projects: keysOf(row), tasks }
}

const maxShownKeys = 3

function describeProjects(keys: readonly string[]): string {
  if (keys.length === 0) return 'none'
  const more = keys.length - maxShownKeys
  return keys.slice(0, maxShownKeys).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Names come last: the width of their characters at a terminal is not known. */
const formatPeople = (rows: readonly PersonRow[]) =>
  formatTable([
    ['ID', 'TASKS', 'PROJECTS', 'E-MAIL', 'NAME'],
    ...rows.map((row) => [
      row.id,
      String(row.tasks),
      describeProjects(keysOf(row)),
      row.email === null ? 'none' : escapeText(row.email),
      escapeText(row.name),
    ]),
  ])

/** The command contains ids, because names and addresses could contain what a shell runs. */
const formatGroups = (groups: readonly PersonRow[][], program: string) =>
  [
    ...groups.map(
      (group) =>
        `${formatPeople(group)}\n${asTyped(`workgate people merge ${group.map(({ id }) => id).join(' ')}`, program)}`,
    ),
    'Two people can have the same name: merge only those that you know to be one.',
  ].join('\n\n')
