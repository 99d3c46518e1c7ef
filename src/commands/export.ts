// workgate export: writes projects with everything in them as JSON Lines, or the tasks of one as CSV. workgate import reads both.

import { pipeline } from 'node:stream/promises'
import { begin, type Session } from '../db/pool/connection.ts'
import { query } from '../db/statements/query.ts'
import { include } from '../db/statements/template.ts'
import { UsageError, type CommandContext } from './command-context.ts'
import { refuseDistributed } from './distribute/usable-cluster.ts'
import { fetchLines } from './fetch-lines.ts'
import { writeOutputFile } from './output-file.ts'
import { parseOptions } from './parse-options.ts'
import { readKey, unknownProject } from './projects/usages.ts'
import { withDatabase } from './with-database.ts'
import { lineParts } from '../import/line-parts.ts'
import { copiedSheet } from '../resources/tasks/task-json.ts'
import boardFields from '../../sql/boards/board-fields.sql'
import stageFields from '../../sql/boards/stage-fields.sql'
import linesSql from '../../sql/export/lines.sql'
import scopeSql from '../../sql/export/scope.sql'
import sheetSql from '../../sql/export/sheet.sql'
import projectFields from '../../sql/projects/project-fields.sql'

export const exportUsage = `workgate export [--project KEY] [--format jsonl] [FILE|-]
workgate export --project KEY [--format csv] [FILE.csv|-]`

const setScope = query<{ found: boolean }>(scopeSql)
export const linesOfExport = include(linesSql, { ...lineParts, projectFields, boardFields, stageFields })
export const sheetOfExport = include(sheetSql, copiedSheet)

const formats: Readonly<Record<string, { statement: string; newline: string }>> = {
  jsonl: { statement: linesOfExport, newline: '\n' },
  csv: { statement: sheetOfExport, newline: '\r\n' },
}

export async function exportFile(context: CommandContext): Promise<void> {
  const text = { type: 'string' } as const
  const { values, positionals } = parseOptions(context.args, { project: text, format: text }, exportUsage, true)
  const [path, extra] = positionals
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"\n\n${exportUsage}`)
  const name = values.format ?? (path?.toLowerCase().endsWith('.csv') ? 'csv' : 'jsonl')
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined
  if (!format) throw new UsageError(`--format must be one of ${Object.keys(formats).join(', ')}, not "${name}"`)
  const project = values.project === undefined ? '' : readKey('--project', values.project)
  if (name === 'csv' && project === '')
    throw new UsageError(`a CSV file has the tasks of one project: add --project KEY\n\n${exportUsage}`)
  await withDatabase(context, (db) =>
    db.session(async (session) => {
      await refuseDistributed(
        session,
        'export cannot read a distributed database at one moment: read the lists or the changes of its projects',
      )
      await session.script(begin)
      const [scope] = await setScope(session, { project })
      if (!scope!.found) throw unknownProject(project)
      await session.script(`declare lines no scroll cursor for ${format.statement}`)
      const lines = readLines(session, format.newline)
      if (path === undefined || path === '-') await pipeline(lines, context.output, { end: false })
      else await writeOutputFile(path, lines)
    }),
  )
}

async function* readLines(session: Session, newline: string): AsyncGenerator<Buffer> {
  for await (const lines of fetchLines(session, 'lines')) {
    // As bytes, which are half of a string with characters outside Latin-1, and without a copy of a long line.
    yield Buffer.from(lines.join(newline))
    yield Buffer.from(newline)
  }
}
