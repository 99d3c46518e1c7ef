// Identifies the caller of a request: reads the key, and verifies it against the version of the data that the response
// depends on.

import { directory, type ConfirmedVersion, type Freshness } from '../freshness/freshness.ts'
import type { Incoming } from '../incoming.ts'
import type { Authenticator } from './authenticate.ts'
import { readCredential } from './credentials.ts'
import type { Key } from './key.ts'
import { versionScopeOf } from './version-scope.ts'

export interface Identity {
  key: Key
  /** The version of all data that the response depends on, confirmed after the request arrived. */
  confirmed: ConfirmedVersion
}

/** Throws a problem if the request has no valid key. */
export type Identify = (
  incoming: Incoming,
  target: { search: string; projectId: string | null; names?: string | undefined },
  isDisconnected?: () => boolean,
) => Promise<Identity>

export function createIdentify(authenticator: Authenticator, freshness: Freshness): Identify {
  return (incoming, { search, projectId, names }, isDisconnected) => {
    const scopeFor = (key: Key | undefined) => names ?? versionScopeOf(projectId, key)
    return authenticator.authenticate(readCredential(incoming.headers, search), incoming.address, async (claimed) => {
      let key = claimed.lastSeen
      for (;;) {
        const seen = key
        const scope = scopeFor(seen)
        const { recordId: keyId, owner } = claimed
        const confirmed = await freshness.check(scope ?? directory, { keyId, isDisconnected, owner })
        const verified = claimed.verify(confirmed)
        key = verified instanceof Promise ? await verified : verified
        // Otherwise, the projects of the key have changed since it was last seen.
        if (key === seen || scopeFor(key) === scope)
          return { key, confirmed: scope === undefined ? { ...confirmed, version: undefined } : confirmed }
      }
    })
  }
}
