// Reads and caches key records. A record is valid as long as it still has the version that was confirmed before it was
// read. Writes when keys were used last.

import { createPendingReads, type PendingReads } from '../responses/pending-reads.ts'
import type { Owner } from '../../db/pool/connection-shares.ts'
import { ownedBy, type Runner } from '../../db/pool/pool.ts'
import { query } from '../../db/statements/query.ts'
import type { ConfirmedVersion } from '../freshness/confirmed-version.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../runtime/log.ts'
import { runPeriodically } from '../housekeeping.ts'
import { setNewest } from '../../runtime/newest-entries.ts'
import { createKey, type Key, type Operation, type StoredKey } from './key.ts'
import findKeySql from '../../../sql/keys/find-key.sql'
import recordUsesSql from '../../../sql/keys/record-uses.sql'

export interface KeyRecord {
  key: Key
  hash: string
  revokedAt: string | null
}

interface Row extends Omit<StoredKey, 'projectIds' | 'operations'> {
  hash: string
  revokedAt: string | null
  projectIds: string
  operations: string
}

const findKey = query<Row>(findKeySql)
const recordUses = query(recordUsesSql)
const maxRecords = 10_000
const usesMs = 30_000

/** Returns undefined if no key has this id. The owner is charged for the statement. */
export type FindKeyRecord = (
  id: string,
  confirmed: Pick<ConfirmedVersion, 'keyVersion' | 'source'>,
  owner: Owner,
) => Promise<KeyRecord | undefined>

interface Entry {
  version: string
  lookups: PendingReads<KeyRecord | undefined>
  /** Set once a look-up has ended. */
  found: { record: KeyRecord | undefined } | undefined
}

export function createKeyRecords(): FindKeyRecord {
  const entries = new Map<string, Entry>()

  function replace(name: string, version: string): Entry {
    const entry: Entry = { version, lookups: createPendingReads(), found: undefined }
    setNewest(entries, name, entry, maxRecords)
    return entry
  }

  /** After a failure, the next request tries again. */
  async function lookUp(entry: Entry, id: string, db: Runner): Promise<KeyRecord | undefined> {
    const [row] = await findKey(db, { id })
    entry.found = { record: row && toRecord(row) }
    return entry.found.record
  }

  return async (id, { keyVersion, source }, owner) => {
    const name = `${id} ${source.name}`
    const known = entries.get(name)
    const entry = known?.version === keyVersion ? known : replace(name, keyVersion)
    const { found, lookups } = entry
    if (found) return found.record
    return (
      lookups.find(owner) ??
      lookups.add(owner, (onStart) => lookUp(entry, id, ownedBy(source.directory, owner, onStart)))
    )
  }
}

function toRecord({ hash, revokedAt, projectIds, operations, ...row }: Row): KeyRecord {
  const key = createKey({
    ...row,
    projectIds: JSON.parse(projectIds) as string[],
    operations: JSON.parse(operations) as Operation[],
  })
  return { key, hash, revokedAt }
}

/** Times are collected in memory, so that reads cause no writes. */
export function collectLastUses(db: Database, log: Log) {
  const uses = new Map<string, number>()
  const writer = runPeriodically(log, usesMs, 'last-used times of keys could not be written', async () => {
    if (uses.size === 0) return
    const entries = [...uses]
    uses.clear()
    try {
      await recordUses(db, {
        keyIds: entries.map(([id]) => id),
        times: entries.map(([, time]) => new Date(time).toISOString()),
      })
    } catch (error) {
      // Restored for the next run, except for keys that have been used again since.
      for (const [id, time] of entries) if (!uses.has(id)) uses.set(id, time)
      throw error
    }
  })

  return {
    record: (keyId: string) => void uses.set(keyId, Date.now()),
    /** Writes the collected times and stops. */
    async close() {
      writer.close()
      await writer.run()
    },
  }
}
