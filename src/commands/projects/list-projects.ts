// workgate projects list: lists the projects with the number of their tasks and members.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/statements/query.ts'
import { escapeText } from '../../runtime/text-lines.ts'
import type { CommandContext } from '../command-context.ts'
import { formatTable } from '../format-table.ts'
import { parseOptions } from '../parse-options.ts'
import { asTyped } from '../program.ts'
import { projectsUsages } from './usages.ts'
import countByProjectSql from '../../../sql/projects/count-by-project.sql'

interface ProjectRow {
  key: string
  id: string
  name: string
  status: string
  openTasks: number
  completedTasks: number
  members: number
}

const countByProject = query<ProjectRow>(countByProjectSql)

const noProjects =
  'There are no projects. Load demo data with "workgate demo", or your own with "workgate import FILE".'

export function list(args: readonly string[], { program }: CommandContext) {
  const { values } = parseOptions(args, { json: { type: 'boolean' } }, projectsUsages.list)
  return async (db: Database) => {
    const rows = await countByProject(db, {})
    if (values.json) return JSON.stringify(rows, null, 2)
    return rows.length === 0 ? asTyped(noProjects, program) : formatProjects(rows)
  }
}

/** Names come last: the width of their characters at a terminal is not known. */
const formatProjects = (rows: readonly ProjectRow[]) =>
  formatTable([
    ['KEY', 'STATUS', 'OPEN TASKS', 'COMPLETED', 'MEMBERS', 'NAME'],
    ...rows.map(({ key, name, status, openTasks, completedTasks, members }) => [
      escapeText(key),
      status,
      String(openTasks),
      String(completedTasks),
      String(members),
      escapeText(name),
    ]),
  ])
