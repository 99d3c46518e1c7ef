// Authenticates requests: verifies an API key against its record in the database or against the environment keys.

import { ownerOfAddress, ownerOfKey, type Owner } from '../../db/pool/owner.ts'
import { networkOf } from '../../runtime/network-address.ts'
import type { ConfirmedVersion } from '../freshness/freshness.ts'
import { Problem } from '../problems/problem.ts'
import type { AttemptLimit } from './attempt-limit.ts'
import { invalidKey, unauthenticated } from './credentials.ts'
import type { EnvironmentKeys, Key } from './key.ts'
import type { KeyRecord, KeyRecords } from './key-records.ts'
import { keyIdOf, sameDigest, sha256 } from './key-text.ts'

const maxVerifiedKeys = 10_000

/** A key that is not yet verified against the database. */
export interface ClaimedKey {
  /** Until the key was verified once, its owner is the address: anybody can claim any id. */
  owner: Owner
  /** The id of the key in the database. Undefined for a key from the environment. */
  recordId: string | undefined
  /** The key as it was when it was last verified. Undefined if it was not, or not recently. */
  lastSeen: Key | undefined
  /** Throws unless the key was valid at the confirmed time. */
  verify(confirmed: ConfirmedVersion): Promise<Key> | Key
}

export interface Authenticator {
  /** Throws if the credential is not a key, or if `identify` throws because it is not valid. */
  authenticate<Identity>(
    credential: string,
    address: string,
    identify: (claimed: ClaimedKey) => Promise<Identity>,
  ): Promise<Identity>
}

export function createAuthenticator(
  records: KeyRecords,
  environmentKeys: EnvironmentKeys,
  attempts: AttemptLimit,
  recordUse: (keyId: string) => void,
): Authenticator {
  // Maps the digests of keys that were valid when last used to their ids, so that they are parsed only once, and so that
  // failures of other clients do not block them. Contains no key text.
  const verifiedIds = new Map<string, string>()
  // The digest is compared once for each record.
  const verifiedDigests = new WeakMap<KeyRecord, string>()
  const expiredEnvironmentKeys = new Set<string>()

  function findKey(id: string, digest: string, owner: Owner, { keyVersion, at }: ConfirmedVersion): Promise<Key> | Key {
    const found = records.find(id, keyVersion, owner)
    return found instanceof Promise
      ? found.then((record) => verifyRecord(record, id, digest, at))
      : verifyRecord(found, id, digest, at)
  }

  function verifyRecord(record: KeyRecord | undefined, id: string, digest: string, at: string): Key {
    if (!record) throw unknownKey()
    if (verifiedDigests.get(record) !== digest) {
      if (!sameDigest(record.hash, digest)) throw unknownKey()
      verifiedDigests.set(record, digest)
    }
    const { key, revokedAt } = record
    if (revokedAt && revokedAt <= at) throw invalidKey('KEY_REVOKED', `The API key "${key.name}" has been revoked.`)
    checkExpiry(key, at)
    recordUse(key.id)
    if (!verifiedIds.has(digest)) {
      if (verifiedIds.size === maxVerifiedKeys) verifiedIds.delete(verifiedIds.keys().next().value!)
      verifiedIds.set(digest, id)
    }
    return key
  }

  return {
    async authenticate(credential, address, identify) {
      const digest = sha256(credential)
      const environmentKey = environmentKeys.find(digest)
      const isVerified = environmentKey ? !expiredEnvironmentKeys.has(digest) : verifiedIds.has(digest)
      const attempt = isVerified ? undefined : await attempts.begin(address, digest)
      let isInvalid = false
      try {
        const id = verifiedIds.get(digest) ?? environmentKey?.id ?? keyIdOf(credential)
        if (id === undefined) throw unknownKey()
        const owner = isVerified ? ownerOfKey(id) : ownerOfAddress(networkOf(address))
        return await identify({
          owner,
          recordId: environmentKey ? undefined : id,
          lastSeen: environmentKey ?? (isVerified ? records.lastSeen(id)?.key : undefined),
          verify: (confirmed) =>
            environmentKey ? checkExpiry(environmentKey, confirmed.at) : findKey(id, digest, owner, confirmed),
        })
      } catch (error) {
        isInvalid = error instanceof Problem && error.status === 401
        if (isInvalid) {
          verifiedIds.delete(digest)
          if (environmentKey) expiredEnvironmentKeys.add(digest)
          if (!attempt) await attempts.countFailure(address, digest)
        }
        throw error
      } finally {
        attempt?.end(isInvalid)
      }
    },
  }
}

// All times have the same format, so they can be compared as strings.
function checkExpiry(key: Key, at: string): Key {
  if (key.expiresAt && key.expiresAt <= at)
    throw invalidKey('KEY_EXPIRED', `The API key "${key.name}" expired at ${key.expiresAt}.`)
  return key
}

function unknownKey(): Problem {
  return unauthenticated('The API key is unknown or mistyped.')
}
