// Identifies the caller of a request: verifies its API key against the record in the database or the keys from the
// environment, and confirms the version of the data that the response depends on.

import { ownerOfAddress, ownerOfKey } from '../../db/pool/owner.ts'
import { networkOf } from '../../runtime/network-address.ts'
import { directory, keyScopeOf, type ConfirmedVersion, type Freshness } from '../freshness/freshness.ts'
import { isUuid } from '../input/values.ts'
import { Problem } from '../problems/problem.ts'
import type { AttemptLimit } from './attempt-limit.ts'
import { invalidKey, unauthenticated } from './credentials.ts'
import type { EnvironmentKeys, Key } from './key.ts'
import type { KeyRecord, KeyRecords } from './key-records.ts'
import { keyIdOf, sameDigest, sha256 } from './key-text.ts'

/** What a request claims, before anything is verified. */
export interface Claim {
  credential: string
  address: string
  /** The project in the path. */
  projectId: string | null
  /** The names in the path, as namesInPath() returns them. */
  names: string | undefined
  isDisconnected?: () => boolean
}

export interface Caller {
  key: Key
  /** The version of all data that the response depends on, confirmed after the request arrived. */
  confirmed: ConfirmedVersion
}

/** Throws a problem if the key is not valid. */
export type Authenticate = (claim: Claim) => Promise<Caller>

const maxKnownRecords = 10_000

export function createAuthenticate(
  records: KeyRecords,
  environmentKeys: EnvironmentKeys,
  attempts: AttemptLimit,
  freshness: Freshness,
  recordUse: (keyId: string) => void,
): Authenticate {
  // The records that were valid when last used, by the digests of their keys: these are not attempts, and failures of
  // other clients do not block them. Contains no key text.
  const known = new Map<string, KeyRecord>()

  function remember(digest: string, record: KeyRecord) {
    known.delete(digest)
    if (known.size === maxKnownRecords) known.delete(known.keys().next().value!)
    known.set(digest, record)
  }

  return async ({ credential, address, projectId, names, isDisconnected }) => {
    const digest = sha256(credential)
    const environmentKey = environmentKeys.find(digest)
    const lastRecord = known.get(digest)
    const attempt = environmentKey || lastRecord ? undefined : await attempts.begin(address, digest)
    const owner = attempt ? ownerOfAddress(networkOf(address)) : ownerOfKey((environmentKey ?? lastRecord!.key).id)
    let isInvalid = false

    /** A record is valid as long as it has the confirmed version. */
    async function verifyRecord(id: string, { keyVersion, at }: ConfirmedVersion): Promise<Key> {
      const record = await records.find(id, keyVersion, owner)
      if (!record || (record !== lastRecord && !sameDigest(record.hash, digest))) throw unknownKey()
      const { key, revokedAt } = record
      if (revokedAt && revokedAt <= at) throw invalidKey('KEY_REVOKED', `The API key "${key.name}" has been revoked.`)
      recordUse(key.id)
      if (record !== lastRecord) remember(digest, record)
      return key
    }

    try {
      let key = environmentKey ?? lastRecord?.key
      const id = key?.id ?? keyIdOf(credential)
      if (id === undefined) throw unknownKey()
      for (;;) {
        const scope = names ?? scopeOf(projectId, key)
        const keyScope = environmentKey ? undefined : keyScopeOf(id)
        const confirmed = await freshness.check(scope ?? directory, { keyScope, isDisconnected, owner })
        key = checkExpiry(environmentKey ?? (await verifyRecord(id, confirmed)), confirmed.at)
        // Otherwise, the projects of the key have changed since it was last seen.
        if ((names ?? scopeOf(projectId, key)) === scope)
          return { key, confirmed: scope === undefined ? { ...confirmed, version: undefined } : confirmed }
      }
    } catch (error) {
      isInvalid = error instanceof Problem && error.status === 401
      if (isInvalid) known.delete(digest)
      throw error
    } finally {
      attempt?.end(isInvalid)
    }
  }
}

/**
 * The scope whose version confirms a response: the project in the path, or the projects that the key can access. Undefined
 * if no version does: the key is not known yet or selects too many projects. A version that changed with other projects
 * would reveal writes in them, because cached responses are faster.
 */
function scopeOf(projectId: string | null, key: Key | undefined): string | undefined {
  return projectId !== null && isUuid(projectId) ? projectId : key?.scope
}

// All times have the same format, so they can be compared as strings.
function checkExpiry(key: Key, at: string): Key {
  if (key.expiresAt && key.expiresAt <= at)
    throw invalidKey('KEY_EXPIRED', `The API key "${key.name}" expired at ${key.expiresAt}.`)
  return key
}

const unknownKey = (): Problem => unauthenticated('The API key is unknown or mistyped.')
