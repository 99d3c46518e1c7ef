// From the text of a key to the key, as the database has it at this moment.

import type { Confirmed } from '../freshness/freshness.ts'
import { Problem } from '../problems/problem.ts'
import { invalidKey, unauthenticated } from './credentials.ts'
import type { EnvironmentKeys } from './environment-keys.ts'
import type { Key } from './key.ts'
import type { KeyRecords } from './key-records.ts'
import { keyIdOf, sameDigest, sha256 } from './key-text.ts'
import type { AddressLimit } from './rate-limit.ts'

const maxProven = 10_000

/** Who somebody says to be. */
export type Claim = { key: Key } | { id: string; digest: string }

export interface Authenticator {
  /** Throws where no database is needed to know that the credential is no key. */
  claim(credential: string, address: string): Promise<Claim>
  /** Throws unless the key was in force at the confirmed moment. */
  prove(claim: Claim, confirmed: Confirmed, address: string): Promise<Key>
}

export function createAuthenticator(
  records: KeyRecords,
  environmentKeys: EnvironmentKeys,
  failures: AddressLimit,
  recordUse: (keyId: string) => void,
): Authenticator {
  /** A good key is never held up by the failures of others at the same address. */
  async function counted(error: unknown, address: string): Promise<unknown> {
    if (error instanceof Problem) await failures.count(address)
    return error
  }

  // By their digests, so that no key is kept. What has been a key needs no look at its form.
  const proven = new Map<string, string>()

  return {
    async claim(credential, address) {
      try {
        const digest = sha256(credential)
        const key = environmentKeys.find(digest)
        if (key) return { key }
        const id = proven.get(digest) ?? keyIdOf(credential)
        if (id === undefined) throw unknown()
        return { id, digest }
      } catch (error) {
        throw await counted(error, address)
      }
    },

    async prove(claim, { directory, at }, address) {
      const record = 'key' in claim ? undefined : await records.find(claim.id, directory)
      try {
        if ('key' in claim) return unexpired(claim.key, at)
        if (!record || !sameDigest(record.hash, claim.digest)) throw unknown()
        const { key, revokedAt } = record
        if (revokedAt && revokedAt <= at) throw invalidKey('KEY_REVOKED', `The API key "${key.name}" has been revoked.`)
        unexpired(key, at)
        recordUse(key.id)
        if (proven.size === maxProven) proven.clear()
        proven.set(claim.digest, claim.id)
        return key
      } catch (error) {
        throw await counted(error, address)
      }
    },
  }
}

// Times of one form, so that their order is that of the texts.
function unexpired(key: Key, at: string): Key {
  if (key.expiresAt && key.expiresAt <= at)
    throw invalidKey('KEY_EXPIRED', `The API key "${key.name}" expired at ${key.expiresAt}.`)
  return key
}

function unknown(): Problem {
  return unauthenticated('The API key is not one of ours, or was mistyped.')
}
