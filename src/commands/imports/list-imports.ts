// workgate imports list: lists the last imports, with what they have done to tasks.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/statements/query.ts'
import { escapeText } from '../../runtime/text-lines.ts'
import { formatTable } from '../format-table.ts'
import { parseOptions } from '../parse-options.ts'
import { importsUsages } from './usages.ts'
import listImportsSql from '../../../sql/import/list-imports.sql'

interface ImportRow {
  id: number
  at: string
  file: string
  formats: string[]
  projects: string[]
  counts: { kind: string; outcome: string; count: number }[]
  undoneAt: string | null
}

const readImports = query<{ json: string }>(listImportsSql)

export function list(args: readonly string[]) {
  const { values } = parseOptions(args, { json: { type: 'boolean' } }, importsUsages.list)
  return async (db: Database) => {
    const rows = (await readImports(db, {})).map(({ json }) => JSON.parse(json) as ImportRow)
    if (values.json) return JSON.stringify(rows, null, 2)
    return rows.length === 0 ? 'There were no imports in the last 90 days.' : formatImports(rows)
  }
}

function formatImports(rows: readonly ImportRow[]): string {
  const tasks = (counts: ImportRow['counts'], outcome: string) =>
    String(counts.find((one) => one.kind === 'tasks' && one.outcome === outcome)?.count ?? 0)
  return formatTable([
    ['ID', 'TIME', 'PROJECTS', 'CREATED', 'UPDATED', 'UNCHANGED', 'DELETED', 'UNDONE', 'FILE'],
    ...rows.map(({ id, at, file, projects, formats, counts, undoneAt }) => [
      String(id),
      at.replace(/\.\d+Z$/, 'Z'),
      projects.length > 3 ? `${projects.slice(0, 3).join(', ')}, …` : projects.join(', '),
      ...['created', 'updated', 'unchanged', 'deleted'].map((outcome) => tasks(counts, outcome)),
      undoneAt === null ? 'no' : 'yes',
      escapeText([file, ...(formats.length > 0 ? [`(${formats.join(', ')})`] : [])].join(' ')),
    ]),
  ])
}
