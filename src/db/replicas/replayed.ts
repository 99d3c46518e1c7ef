// Reads what a standby has replayed.

import type { LogPosition } from '../pool/pool.ts'
import { query } from '../statements/query.ts'
import replayedSql from '../../../sql/replicas/replayed.sql'

export interface Replayed {
  isStandby: boolean
  /** Null if the standby has no epoch yet. */
  epoch: string | null
  lsn: bigint
}

const findReplayed = query<{ isStandby: boolean; epoch: string | null; lsn: string | null }>(replayedSql)

export async function readReplayed(db: Parameters<typeof findReplayed>[0]): Promise<Replayed> {
  const [row] = await findReplayed(db, { origin: '0/0' })
  const { isStandby, epoch, lsn } = row!
  return { isStandby, epoch, lsn: BigInt(lsn ?? 0) }
}

/** Statements that begin from now on see everything up to the position. */
export function hasReached({ isStandby, epoch, lsn }: Replayed, position: LogPosition): boolean {
  return isStandby && epoch === position.epoch && lsn >= position.lsn
}
