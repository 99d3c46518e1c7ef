// Writes what a round has found, and the marks, in one transaction: with the statements of an import.

import type { Database } from '../db/database.ts'
import type { Session } from '../db/pool/connection.ts'
import type { Runner } from '../db/pool/pool.ts'
import { query } from '../db/statements/query.ts'
import { derivedId } from '../import/derived-id.ts'
import { isEmptyComment } from '../import/objects.ts'
import type { ImportResult } from '../import/outcomes.ts'
import { apply, stage } from '../import/run-import.ts'
import type { Kind } from './adapter.ts'
import type { FoundItem } from './copy.ts'
import deleteItemsSql from '../../sql/sources/delete-items.sql'
import deleteTasksSql from '../../sql/sources/delete-tasks.sql'
import endRoundSql from '../../sql/sources/end-round.sql'
import putItemsSql from '../../sql/sources/put-items.sql'

const deleteItems = query<{ id: string }>(deleteItemsSql)
const deleteTasks = query(deleteTasksSql)
const endRound = query<{ fence: string }>(endRoundSql)
const putItems = query<{ refused: boolean }>(putItemsSql)

export interface Gone {
  kind: Kind
  externalId: string
}

export interface RoundResult {
  changed: readonly FoundItem[]
  gone: readonly Gone[]
  marks: {
    projectId: string
    /** Of the project, when the round began. */
    key: string
    fence: string
    round: string
    /** The time of the database when the round began. */
    at: string
    audited: boolean
    cursor: string
    trackerId: string
    lagSeconds: number
  }
}

/** Somebody else follows the source now, or the project has another key. */
export class LeaseLost extends Error {}

/** `actor` names the source in the history. Returns how many items were refused. */
export async function applyRound(
  db: Pick<Database, 'run' | 'session'>,
  actor: string,
  result: RoundResult,
): Promise<{ refused: number }> {
  const { changed, gone, marks } = result
  if (changed.length > 0 || gone.length > 0) return db.session((session) => write(session, actor, result))
  await moveMarks(db, marks)
  return { refused: 0 }
}

async function moveMarks(db: Runner, marks: RoundResult['marks']): Promise<void> {
  if ((await endRound(db, marks)).length === 0) throw new LeaseLost()
}

const order: readonly Kind[] = ['task', 'comment', 'timeEntry']

async function write(
  session: Session,
  actor: string,
  { changed, gone, marks }: RoundResult,
): Promise<{ refused: number }> {
  const { projectId, key: project } = marks
  const sorted = order.flatMap((kind) => changed.filter((item) => item.kind === kind))
  const lines = sorted.map(({ objects }, n) => ({ line: n + 1, objects }))
  const result: ImportResult = { kinds: [], notes: new Map(), invalid: [], plan: [], isCommitted: false }
  const { invalid } = await stage(session, lines, { project, full: false, leftOut: [] }, () => {})
  await apply(session, { full: false, createTasks: false, writer: { channel: 'sync', actor } }, result, () => {})
  const refusedLines = new Set([...invalid, ...result.invalid].map(({ line }) => line))
  const items = sorted.map(({ kind, externalId, parent = null, fingerprint, objects, refused = false }, n) => {
    const own = objects.find((object) => 'externalId' in object)
    const id = own && !isEmptyComment(own) && derivedId(own.source, kind, own.externalId)
    return { kind, externalId, id: id || null, parent, fingerprint, refused: refused || refusedLines.has(n + 1) }
  })
  const put = await putItems(session, { projectId, items: JSON.stringify(items) })
  const tasks = await deleteItems(session, { projectId, gone: JSON.stringify(gone) })
  await deleteTasks(session, { projectId, ids: tasks.map(({ id }) => id) })
  await moveMarks(session, marks)
  await session.script('commit')
  return { refused: put.filter(({ refused }) => refused).length }
}
