// Options of workgate import that are saved for a project (--save), and used again (--like).

import type { Database } from '../../db/database.ts'
import { query } from '../../db/statements/query.ts'
import { escapeText } from '../../runtime/text-lines.ts'
import { UsageError } from '../command-context.ts'
import findMappingSql from '../../../sql/import/find-mapping.sql'
import saveMappingSql from '../../../sql/import/save-mapping.sql'

const find = query<{ options: string | null; names: string }>(findMappingSql)
const save = query(saveMappingSql)

/** Returns them as arguments. */
export async function findMapping(db: Database, project: string, name: string): Promise<string[]> {
  const [row] = await find(db, { project, name })
  if (row!.options !== null) return JSON.parse(row!.options) as string[]
  const names = JSON.parse(row!.names) as string[]
  const known =
    names.length === 0 ? 'has no saved options' : `has ${escapeText(names.map((one) => `"${one}"`).join(', '))}`
  throw new UsageError(`--like: ${project} ${known}, not "${name}"; an import with --save NAME saves its options`)
}

/** Replaces those of the same name. */
export const saveMapping = (db: Database, project: string, name: string, options: readonly string[]) =>
  save(db, { project, name, options })
