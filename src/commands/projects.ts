// workgate projects: lists the projects with the number of their tasks and members.

import { query } from '../db/statements/query.ts'
import { escapeText } from '../runtime/text-lines.ts'
import type { CommandContext } from './command-context.ts'
import { formatTable } from './format-table.ts'
import { parseOptions } from './parse-options.ts'
import { asTyped } from './program.ts'
import { prepareSchema, retryUntilAvailable, withDatabase } from './with-database.ts'
import countByProjectSql from '../../sql/projects/count-by-project.sql'

export const projectsUsage = 'workgate projects [--json]'

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

export async function projects(context: CommandContext): Promise<void> {
  const { values } = parseOptions(context.args, { json: { type: 'boolean' } }, projectsUsage)
  await withDatabase(context, async (db) => {
    await retryUntilAvailable(context, () => prepareSchema(context, db))
    const rows = await countByProject(db, {})
    if (values.json) context.print(JSON.stringify(rows, null, 2))
    else context.print(rows.length === 0 ? asTyped(noProjects, context.program) : formatProjects(rows))
  })
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
