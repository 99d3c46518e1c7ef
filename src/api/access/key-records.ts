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
  /** Returns the record that was read last, which may be outdated. */
  lastSeen(id: string): KeyRecord | undefined
}

interface Entry {
  directory: string
  record: Promise<KeyRecord | undefined>
  lastSeen: KeyRecord | undefined
}

export function createKeyRecords(db: Runner): KeyRecords {
  const records = new Map<string, Entry>()

  async function read(id: string): Promise<KeyRecord | undefined> {
    const [row] = await findKey(db, { id })
    return row && toRecord(row)
  }

  return {
    find(id, directory) {
      const known = records.get(id)
      if (known?.directory === directory) return known.record
      const entry: Entry = { directory, record: read(id), lastSeen: known?.lastSeen }
      records.delete(id)
      records.set(id, entry)
      if (records.size > maxRecords) records.delete(records.keys().next().value!)
      entry.record.then(
        (record) => (entry.lastSeen = record),
        // After a failure, the next request tries again.
        () => records.get(id) === entry && records.delete(id),
      )
      return entry.record
    },
    lastSeen: (id) => records.get(id)?.lastSeen,
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
