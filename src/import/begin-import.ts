// Begins the transaction of an import with its locks, so that imports into different projects can run at the same time.

import { begin, type Session } from '../db/pool/connection.ts'
import { query } from '../db/statements/query.ts'
import beginSql from '../../sql/import/begin.sql'
import findExportedSql from '../../sql/import/find-exported.sql'
import findProjectsSql from '../../sql/import/find-projects.sql'
import findUsersSql from '../../sql/import/find-users.sql'
import lockProjectsSql from '../../sql/import/lock-projects.sql'
import neededLocksSql from '../../sql/import/needed-locks.sql'
import renamedSql from '../../sql/import/renamed.sql'

export const beginWriting = query(beginSql)
export const lockProjects = query<{ id: string }>(lockProjectsSql)
const readNeededLocks = query<{ projectIds: string; creates: boolean }>(neededLocksSql)

/** As the history names it. */
export interface Writer {
  channel: 'import' | 'sync'
  actor: string
}

/** Only read: what they find decides which locks are needed. */
const finding = [renamedSql, findExportedSql, findUsersSql, findProjectsSql]

/**
 * Also finds the projects and people that the rows mean. Only under all locks does this stay right, and no lock may be waited for
 * out of order, so it begins again, with the locks that it has found to be needed, until it needs no others.
 */
export async function beginImport(session: Session, writer: Writer): Promise<void> {
  let creates = false
  const projectIds = new Set<string>()
  for (;;) {
    await session.script(begin)
    await beginWriting(session, { ...writer, creates, isAlone: false })
    const locked = new Set<string>()
    for (const { id } of await lockProjects(session, { projectIds: [...projectIds] })) locked.add(id)
    for (const script of finding) await session.script(script)
    const [needed] = await readNeededLocks(session, {})
    const neededIds = JSON.parse(needed!.projectIds) as string[]
    if (neededIds.every((id) => locked.has(id)) && (creates || !needed!.creates)) return
    await session.script('rollback')
    creates ||= needed!.creates
    for (const id of neededIds) projectIds.add(id)
  }
}
