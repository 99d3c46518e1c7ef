// Reads and caches key records. A record is valid as long as it still has the version that was confirmed before it was
// read.

import type { Owner } from '../../db/pool/owner.ts'
import { createPendingReads, type PendingReads } from '../responses/pending-reads.ts'
import { ownedBy, type Runner } from '../../db/pool/pool.ts'
import { query } from '../../db/statements/query.ts'
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
  /**
   * Returns undefined if no key has this id. The owner is charged for the statement. Without one, there is no promise
   * either, because most requests need none.
   */
  find(id: string, version: string, owner: Owner): Promise<KeyRecord | undefined> | KeyRecord | undefined
  /** Returns the record that was read last, which may be outdated. */
  lastSeen(id: string): KeyRecord | undefined
}

interface Entry {
  version: string
  lookups: PendingReads<KeyRecord | undefined>
  /** True once a look-up has ended: `lastSeen` then has this version. */
  isKnown: boolean
  lastSeen: KeyRecord | undefined
}

export function createKeyRecords(db: Runner): KeyRecords {
  const records = new Map<string, Entry>()

  function replace(id: string, version: string, lastSeen: KeyRecord | undefined): Entry {
    const entry: Entry = { version, lookups: createPendingReads(), isKnown: false, lastSeen }
    records.delete(id)
    records.set(id, entry)
    if (records.size > maxRecords) records.delete(records.keys().next().value!)
    return entry
  }

  /** After a failure, the next request tries again. */
  async function lookUp(entry: Entry, id: string, owner: Owner, onStart: () => void): Promise<KeyRecord | undefined> {
    const [row] = await findKey(ownedBy(db, owner, onStart), { id })
    const record = row && toRecord(row)
    entry.lastSeen = record
    entry.isKnown = true
    return record
  }

  return {
    find(id, version, owner) {
      const known = records.get(id)
      const entry = known?.version === version ? known : replace(id, version, known?.lastSeen)
      const { isKnown, lookups } = entry
      if (isKnown) return entry.lastSeen
      return lookups.find(owner) ?? lookups.add(owner, (onStart) => lookUp(entry, id, owner, onStart))
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
