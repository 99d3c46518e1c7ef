// Reads and caches key records. A record is valid as long as the directory still has the version that was confirmed
// before the record was read.

import type { Owner } from '../../db/connection-shares.ts'
import { ownedBy } from '../../db/owned-by.ts'
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
  /** Returns undefined if no key has this id. The owner is charged for the statement, if one is needed. */
  find(id: string, directory: string, owner: Owner): Promise<KeyRecord | undefined>
  /** Returns the record that was read last, which may be outdated. */
  lastSeen(id: string): KeyRecord | undefined
}

interface Entry {
  directory: string
  ownerId: string
  /** True once the statement has a connection. */
  hasStarted(): boolean
  record: Promise<KeyRecord | undefined>
  lastSeen: KeyRecord | undefined
}

export function createKeyRecords(db: Runner): KeyRecords {
  const records = new Map<string, Entry>()

  async function read(id: string, owner: Owner, onStart: () => void): Promise<KeyRecord | undefined> {
    const [row] = await findKey(ownedBy(db, owner, onStart), { id })
    return row && toRecord(row)
  }

  return {
    find(id, directory, owner) {
      const known = records.get(id)
      // A look-up that waits for the turn of another owner is not shared: it could wait long.
      if (known?.directory === directory && (known.ownerId === owner.id || known.hasStarted())) return known.record
      let hasStarted = false
      const entry: Entry = {
        directory,
        ownerId: owner.id,
        hasStarted: () => hasStarted,
        record: read(id, owner, () => (hasStarted = true)),
        lastSeen: known?.lastSeen,
      }
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
