// Identifies the caller of a request: verifies its API key against the record in the database or the keys from the
// environment, and confirms the version of the data that the response depends on.

import { ownerOfAddress, ownerOfKey } from '../../db/pool/connection-shares.ts'
import { networkOf } from '../../runtime/network-address.ts'
import { directory, keyScopeOf, type ConfirmedVersion, type Freshness } from '../freshness/freshness.ts'
import { isUuid } from '../input/values.ts'
import { setNewest } from '../../runtime/newest-entries.ts'
import { Problem } from '../problems/problem.ts'
import type { BeginAttempt } from './rate-limit.ts'
import { invalidKey, unauthenticated } from './credentials.ts'
import type { EnvironmentKeys, Key } from './key.ts'
import type { FindKeyRecord, KeyRecord } from './key-records.ts'
import { keyIdOf, sameDigest, sha256 } from './key-text.ts'

/** The key and the project that a request claims, before anything is verified. */
interface Claim {
  credential: string
  address: string
  /** The project in the path. */
  projectId: string | null
  /** The names in the path, as namesInPath() returns them. */
  names: string | undefined
  /** A check that was made after the request arrived. It is used if its scopes are those of the request. */
  check?: Check | undefined
  isDisconnected?: () => boolean
}

interface Check {
  scope: string
  /** Undefined for a key from the environment, whose record cannot change. */
  keyScope: string | undefined
  confirmed: ConfirmedVersion
}

export interface Admission extends Check {
  key: Key
  /** The time at which the key expires, or at which its revocation takes effect. */
  validUntil: string | null
}

/** Throws a problem if the key is not valid. */
export type Authenticate = (claim: Claim) => Promise<Admission>

const maxKnownRecords = 10_000

export function createAuthenticate(
  findRecord: FindKeyRecord,
  environmentKeys: EnvironmentKeys,
  beginAttempt: BeginAttempt,
  freshness: Pick<Freshness, 'check'>,
  recordUse: (keyId: string) => void,
): Authenticate {
  // The records that were valid when last used, by the digests of their keys: these are not attempts, and failures of
  // other clients do not block them. Contains no key text.
  const known = new Map<string, KeyRecord>()

  return async ({ credential, address, projectId, names, check, isDisconnected }) => {
    const digest = sha256(credential)
    const environmentKey = environmentKeys.find(digest)
    const lastRecord = environmentKey ? { key: environmentKey, hash: digest, revokedAt: null } : known.get(digest)
    const endAttempt = lastRecord ? undefined : await beginAttempt(address, digest)
    const owner = lastRecord ? ownerOfKey(lastRecord.key.id) : ownerOfAddress(networkOf(address))
    let isInvalid = false

    /** A record is valid as long as it has the confirmed version. */
    async function verifiedRecord(id: string, confirmed: ConfirmedVersion): Promise<KeyRecord> {
      const record = environmentKey ? lastRecord : await findRecord(id, confirmed, owner)
      if (!record || !sameDigest(record.hash, digest)) throw unknownKey()
      checkTimes(record, confirmed.at)
      if (!environmentKey) {
        recordUse(id)
        setNewest(known, digest, record, maxKnownRecords)
      }
      return record
    }

    try {
      let key = lastRecord?.key
      const id = key?.id ?? keyIdOf(credential)
      if (id === undefined) throw unknownKey()
      const keyScope = environmentKey ? undefined : keyScopeOf(id)
      for (let earlier = check; ; earlier = undefined) {
        const covering = names ?? scopeOf(projectId, key)
        const scope = covering ?? directory
        const isChecked = earlier?.scope === scope && earlier.keyScope === keyScope
        const confirmed = isChecked
          ? earlier!.confirmed
          : await freshness.check(scope, { keyScope, isDisconnected, owner })
        const record = await verifiedRecord(id, confirmed)
        key = record.key
        // The projects of the key have changed since it was last seen.
        if ((names ?? scopeOf(projectId, key)) !== covering) continue
        const admission = { key, validUntil: endOf(record), scope, keyScope, confirmed }
        return covering === undefined ? { ...admission, confirmed: { ...confirmed, version: undefined } } : admission
      }
    } catch (error) {
      isInvalid = error instanceof Problem && error.status === 401
      if (isInvalid) known.delete(digest)
      throw error
    } finally {
      endAttempt?.(isInvalid)
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
function checkTimes({ key: { name, expiresAt }, revokedAt }: KeyRecord, at: string) {
  if (revokedAt && revokedAt <= at) throw invalidKey('KEY_REVOKED', `The API key "${name}" has been revoked.`)
  if (expiresAt && expiresAt <= at) throw invalidKey('KEY_EXPIRED', `The API key "${name}" expired at ${expiresAt}.`)
}

function endOf({ key, revokedAt }: KeyRecord): string | null {
  const [end = null] = [key.expiresAt, revokedAt].filter((time) => time !== null).sort()
  return end
}

const unknownKey = (): Problem => unauthenticated('The API key is unknown or mistyped.')
