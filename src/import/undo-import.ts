// Takes an import back: the objects that it has changed are imported again as they were before, and those that it has created are
// deleted. What has changed since remains.

import { begin, type Session } from '../db/pool/connection.ts'
import type { Runner } from '../db/pool/pool.ts'
import { query } from '../db/statements/query.ts'
import { include } from '../db/statements/template.ts'
import { beginWriting, lockProjects } from './begin-import.ts'
import { recordImport } from './record-import.ts'
import { readOutcomes, type Outcomes } from './outcomes.ts'
import { contents } from './run-import.ts'
import changedSinceSql from '../../sql/import/changed-since.sql'
import createTablesSql from '../../sql/import/create-tables.sql'
import deleteMissingSql from '../../sql/import/delete-missing.sql'
import deleteTagsSql from '../../sql/import/delete-tags.sql'
import findProjectsSql from '../../sql/import/find-projects.sql'
import findUndoneSql from '../../sql/import/find-undone.sql'
import findUsersSql from '../../sql/import/find-users.sql'
import projectsSql from '../../sql/import/projects.sql'
import undoChangesSql from '../../sql/import/undo-changes.sql'
import undoCreatedSql from '../../sql/import/undo-created.sql'
import undoScopesSql from '../../sql/import/undo-scopes.sql'
import usersSql from '../../sql/import/users.sql'

const findUndone = query<{ file: string }>(findUndoneSql)
const readScopes = query<{ projectIds: string; isAlone: boolean }>(undoScopesSql)
const changedSince = query<{ n: number; names: string }>(changedSinceSql)

const scripts = [
  undoChangesSql,
  findUsersSql,
  usersSql,
  findProjectsSql,
  projectsSql,
  ...contents,
  include(undoCreatedSql, { deleteMissing: deleteMissingSql }),
  deleteTagsSql,
]

export interface UndoneImport {
  file: string
  outcomes: Outcomes
  isCommitted: boolean
  /** The number of objects that were changed since, and the first names of them. */
  changed: number
  names: string[]
}

/** Returns undefined if there is no such import. */
export async function undoImport(
  session: Session,
  db: Runner,
  importId: string,
  commits: boolean,
): Promise<UndoneImport | undefined> {
  await session.script(createTablesSql)
  await session.script(begin)
  const file = `undo of import ${importId}`
  const [scopes] = await readScopes(session, { importId })
  await beginWriting(session, { channel: 'import', actor: file, creates: false, isAlone: scopes!.isAlone })
  await lockProjects(session, { projectIds: JSON.parse(scopes!.projectIds) as string[] })
  const [found] = await findUndone(session, { importId })
  if (!found) return undefined
  for (const script of scripts) await session.script(script)
  const outcomes = await readOutcomes(session)
  outcomes.kinds = outcomes.kinds.filter(({ outcome }) => outcome !== 'unchanged')
  const [since] = await changedSince(session, {})
  const isCommitted = commits && outcomes.invalid.length === 0 && outcomes.kinds.length > 0
  if (isCommitted) await recordImport(session, db, { file, formats: [], undoOf: importId }, outcomes)
  await session.script(isCommitted ? 'commit' : 'rollback')
  return { file: found.file, outcomes, isCommitted, changed: since!.n, names: JSON.parse(since!.names) as string[] }
}
