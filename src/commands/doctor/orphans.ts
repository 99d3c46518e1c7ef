// Checks that no row refers to a row that does not exist. With --repair, removes such rows if a person agrees.

import { begin, type Session } from '../../db/pool/connection.ts'
import { isPermissionDenied } from '../../db/errors.ts'
import { query } from '../../db/statements/query.ts'
import { describeOrphans, describeRemoval, findOrphans, type Orphans } from '../orphans.ts'
import { fault, ok, warning, type Outcome } from './finding.ts'
import removeOrphansSql from '../../../sql/doctor/remove-orphans.sql'

const removeOrphans = query(removeOrphansSql)

/** `confirm` is undefined if orphans are only to be found, or if nobody can be asked. */
export async function checkOrphans(
  session: Session,
  repair: boolean,
  confirm: ((question: string) => Promise<boolean>) | undefined,
): Promise<Outcome> {
  const orphans = await find(session)
  if (!orphans)
    return warning(
      'The role lacks the privilege to look for rows that refer to rows that do not exist.',
      'Run the doctor again as the owner of schema workgate.',
    )
  if (orphans.length === 0) return ok('Every row that another row refers to exists')
  const described = describeOrphans(orphans)
  const finding = `Rows refer to rows that do not exist, so a backup could not be restored: ${described}.`
  const removal = describeRemoval(orphans)
  if (!repair) return fault(finding, `"workgate doctor --repair" would ${removal}.`)
  if (!confirm) return fault(finding, `To ${removal}, run "workgate doctor --repair --yes".`)
  if (!(await confirm(`${removal[0]!.toUpperCase()}${removal.slice(1)}? [y/N] `)))
    return fault(finding, 'Nothing was removed, because the removal was not confirmed.')
  await session.script(begin)
  await removeOrphans(session, {})
  await session.script('commit')
  return ok(`Repaired, because they referred to rows that do not exist: ${described}`)
}

async function find(session: Session): Promise<Orphans[] | undefined> {
  try {
    return await findOrphans(session)
  } catch (error) {
    if (!isPermissionDenied(error)) throw error
    return undefined
  }
}
