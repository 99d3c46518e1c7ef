// Records what an import has changed, and how that was before, so that it can be taken back.

import type { Session } from '../db/pool/connection.ts'
import type { Runner } from '../db/pool/pool.ts'
import { query } from '../db/statements/query.ts'
import { include } from '../db/statements/template.ts'
import { lineParts } from './line-parts.ts'
import type { Outcomes } from './outcomes.ts'
import readBeforeSql from '../../sql/import/read-before.sql'
import recordSql from '../../sql/import/record.sql'
import saveBeforeSql from '../../sql/import/save-before.sql'

const insertImport = query<{ importId: string; scope: string; kind: string; id: string }>(recordSql)
const readBefore = query<{ row: string }>(include(readBeforeSql, lineParts))
const saveBefore = query(saveBeforeSql)

const perStatement = 200

export interface ImportOrigin {
  file: string
  /** Their titles. */
  formats: Iterable<string>
  /** The id of the import that this one undoes. */
  undoOf?: string
}

/** In the transaction of the import. For `db`, nothing of it has happened yet. */
export async function recordImport(
  session: Session,
  db: Runner,
  { file, formats, undoOf }: ImportOrigin,
  { kinds }: Outcomes,
): Promise<void> {
  const counts = JSON.stringify(kinds.map(({ kind, outcome, count }) => ({ kind, outcome, count })))
  const changed = await insertImport(session, { file, formats: [...formats], counts, undoOf: undoOf ?? null })
  for (let at = 0; at < changed.length; at += perStatement) {
    const some = changed.slice(at, at + perStatement)
    const rows = await readBefore(db, {
      kinds: some.map(({ kind }) => kind),
      scopes: some.map(({ scope }) => scope),
      ids: some.map(({ id }) => id),
    })
    await saveBefore(session, { importId: some[0]!.importId, rows: `[${rows.map(({ row }) => row).join()}]` })
  }
}
