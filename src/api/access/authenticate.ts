// Authenticates requests: verifies an API key against its record in the database or against the environment keys.

import type { ConfirmedVersion } from '../freshness/freshness.ts'
import { Problem } from '../problems/problem.ts'
import { invalidKey, unauthenticated } from './credentials.ts'
import type { EnvironmentKeys } from './environment-keys.ts'
import type { Key } from './key.ts'
import type { KeyRecords } from './key-records.ts'
import { keyIdOf, sameDigest, sha256 } from './key-text.ts'
import type { AddressLimit } from './rate-limit.ts'

const maxVerifiedKeys = 10_000

/** A claimed identity, not yet verified against the database. */
export type ClaimedKey = { key: Key } | { id: string; digest: string }

export interface Authenticator {
  /** Throws if the credential cannot be a key. Does not use the database. */
  parse(credential: string, address: string): Promise<ClaimedKey>
  /** Returns the key as it was when it was last verified. Undefined if it was not, or not recently. */
  lastSeen(claimed: ClaimedKey): Key | undefined
  /** Throws unless the key was valid at the confirmed time. */
  verify(claimed: ClaimedKey, confirmed: ConfirmedVersion, address: string): Promise<Key>
}

export function createAuthenticator(
  records: KeyRecords,
  environmentKeys: EnvironmentKeys,
  failures: AddressLimit,
  recordUse: (keyId: string) => void,
): Authenticator {
  /** Counts only failed requests, so failures of other clients at the same address never block a valid key. */
  async function countFailure(error: unknown, address: string): Promise<unknown> {
    if (error instanceof Problem) await failures.count(address)
    return error
  }

  // Maps the digests of verified keys to their ids, so that each key is parsed only once. Contains no key text.
  const verifiedIds = new Map<string, string>()

  return {
    async parse(credential, address) {
      try {
        const digest = sha256(credential)
        const key = environmentKeys.find(digest)
        if (key) return { key }
        const id = verifiedIds.get(digest) ?? keyIdOf(credential)
        if (id === undefined) throw unknownKey()
        return { id, digest }
      } catch (error) {
        throw await countFailure(error, address)
      }
    },

    lastSeen(claimed) {
      if ('key' in claimed) return claimed.key
      const record = records.lastSeen(claimed.id)
      return record && sameDigest(record.hash, claimed.digest) ? record.key : undefined
    },

    async verify(claimed, { directory, at }, address) {
      const record = 'key' in claimed ? undefined : await records.find(claimed.id, directory)
      try {
        if ('key' in claimed) return checkExpiry(claimed.key, at)
        if (!record || !sameDigest(record.hash, claimed.digest)) throw unknownKey()
        const { key, revokedAt } = record
        if (revokedAt && revokedAt <= at) throw invalidKey('KEY_REVOKED', `The API key "${key.name}" has been revoked.`)
        checkExpiry(key, at)
        recordUse(key.id)
        if (verifiedIds.size === maxVerifiedKeys) verifiedIds.clear()
        verifiedIds.set(claimed.digest, claimed.id)
        return key
      } catch (error) {
        throw await countFailure(error, address)
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
