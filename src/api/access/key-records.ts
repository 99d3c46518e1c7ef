// Reads and caches key records. A record is valid as long as the directory still has the version that was confirmed
// before the record was read.

import type { Runner } from '../../db/pool.ts'
import { query } from '../../db/query.ts'
import type { Key, Operation } from './key.ts'
import findKeySql from '../../../sql/keys/find-key.sql'

export interface KeyRecord {
  key: Key
  hash: string
  revokedAt: string | null
}

interface Row extends Omit<Key, 'projectIds' | 'operations'> {
  hash: string
  revokedAt: string | null
  projectIds: string
  operations: string
}

const findKey = query<Row>(findKeySql)
const maxRecords = 10_000

export interface KeyRecords {
  /** Returns undefined if no key has this id. */
  find(id: string, directory: string): Promise<KeyRecord | undefined>
}

export function createKeyRecords(db: Runner): KeyRecords {
  const records = new Map<string, { directory: string; record: Promise<KeyRecord | undefined> }>()

  async function read(id: string): Promise<KeyRecord | undefined> {
    const [row] = await findKey(db, { id })
    return row && toRecord(row)
  }

  return {
    find(id, directory) {
      const known = records.get(id)
      if (known?.directory === directory) return known.record
      const entry = { directory, record: read(id) }
      records.delete(id)
      records.set(id, entry)
      if (records.size > maxRecords) records.delete(records.keys().next().value!)
      // After a failure, the next request tries again.
      entry.record.catch(() => records.get(id) === entry && records.delete(id))
      return entry.record
    },
  }
}

function toRecord({ hash, revokedAt, projectIds, operations, ...row }: Row): KeyRecord {
  const key = {
    ...row,
    projectIds: JSON.parse(projectIds) as string[],
    operations: JSON.parse(operations) as Operation[],
  }
  return { key, hash, revokedAt }
}
