// From the text of a key to the key, as the database has it at this moment.

import type { Database } from '../db/database.ts'
import { query } from '../db/query.ts'
import { Problem } from '../problem.ts'
import { notInForce, unauthenticated } from './credentials.ts'
import type { EnvironmentKeys } from './environment-keys.ts'
import type { Key, Operation, ScopeMode } from './key.ts'
import { keyIdOf, sameDigest, sha256 } from './key-text.ts'
import type { AddressLimit } from './rate-limit.ts'
import findKeySql from '../../sql/access/find-key.sql'

interface KeyRow {
  id: string
  name: string
  hash: string
  scopeMode: ScopeMode
  projectIds: string
  operations: string
  rateLimitPerMinute: number | null
  expiresAt: string | null
  createdAt: string
  expired: boolean
  revoked: boolean
}

const findKey = query<KeyRow>(findKeySql)

export interface Authenticator {
  authenticate(credential: string, address: string): Promise<Key>
}

export function createAuthenticator(
  db: Database,
  environmentKeys: EnvironmentKeys,
  failures: AddressLimit,
  recordUse: (keyId: string) => void,
): Authenticator {
  return {
    async authenticate(credential, address) {
      try {
        const digest = sha256(credential)
        const fixed = environmentKeys.find(digest)
        if (fixed) return fixed
        const id = keyIdOf(credential)
        if (id === undefined) throw unauthenticated('The API key is not one of ours, or was mistyped.')
        const key = await readKey(db, id, digest)
        recordUse(key.id)
        return key
      } catch (error) {
        // A good key is never held up by the failures of others at the same address.
        if (error instanceof Problem) await failures.count(address)
        throw error
      }
    },
  }
}

async function readKey(db: Database, id: string, digest: string): Promise<Key> {
  const [row] = await findKey(db, { id })
  if (!row || !sameDigest(row.hash, digest)) throw unauthenticated('The API key is not one of ours, or was mistyped.')
  if (row.revoked) throw notInForce('KEY_REVOKED', `The API key "${row.name}" has been revoked.`)
  if (row.expired) throw notInForce('KEY_EXPIRED', `The API key "${row.name}" expired at ${row.expiresAt}.`)
  return {
    id: row.id,
    name: row.name,
    scopeMode: row.scopeMode,
    projectIds: JSON.parse(row.projectIds) as string[],
    operations: JSON.parse(row.operations) as Operation[],
    rateLimitPerMinute: row.rateLimitPerMinute,
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
  }
}
