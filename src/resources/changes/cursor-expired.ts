// Defines the reasons for which a cursor of changes expires, and the problem that names one.

import * as v from 'valibot'
import { Problem } from '../../api/problems/problem.ts'
import { described } from '../../api/responses/response-schemas.ts'

/** The explanation, and the message about the parameter. All but other_key are found by the database. */
const reasons = {
  too_old: ['The cursor is too old: the changes since it are not known any more.', 'must be newer'],
  unrecorded_changes: [
    'Not all changes since this cursor are known: a table was emptied, or rows were changed with triggers disabled.',
    'must be newer',
  ],
  lost_commits: [
    'The database has lost commits that this cursor knows, in a failover or a crash, or because it was restored from an older backup.',
    'must be newer',
  ],
  other_database: [
    'This database does not know the cursor: it is of another database, or this one was restored since, lost commits or rotated its secret twice.',
    'must be of this database',
  ],
  other_key: [
    'The cursor belongs to another key, or to another scope of this one: it is only valid with the key that returned it.',
    'must be of this key',
  ],
} as const

export type ExpiryReason = keyof typeof reasons

export const expiryReason = v.pipe(
  described(
    v.picklist(Object.keys(reasons) as ExpiryReason[]),
    'Why the cursor has expired. New reasons may be added.',
  ),
  v.metadata({ ref: 'CursorExpiryReason', 'x-extensible': true }),
)

export function cursorExpired(reason: ExpiryReason): Problem {
  const [explanation, message] = reasons[reason]
  return new Problem(
    'CURSOR_EXPIRED',
    `${explanation} Start again without a cursor: delete your copy, and store everything that follows.`,
    { faults: [{ in: 'query', name: 'cursor', message }], reason },
  )
}
