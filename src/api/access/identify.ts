// Identifies the caller of a request: reads the key, and verifies it against the version of the data that the response
// depends on.

import type { ConfirmedVersion, Freshness } from '../freshness/freshness.ts'
import { versionScopeOf } from '../freshness/version-scope.ts'
import type { Incoming } from '../incoming.ts'
import type { Authenticator } from './authenticate.ts'
import { readCredential } from './credentials.ts'
import type { Key } from './key.ts'

export interface Identity {
  key: Key
  /** The version of all data that the response depends on, confirmed after the request arrived. */
  confirmed: ConfirmedVersion
}

/** Throws a problem if the request has no valid key. */
export type Identify = (
  incoming: Incoming,
  target: { search: string; projectId: string | null },
  isDisconnected?: () => boolean,
) => Promise<Identity>

export function createIdentify(authenticator: Authenticator, freshness: Freshness): Identify {
  return async (incoming, { search, projectId }, isDisconnected) =>
    authenticator.authenticate(readCredential(incoming.headers, search), incoming.address, async (claimed) => {
      const confirmed = await freshness.check(versionScopeOf(projectId), isDisconnected, claimed.owner.id)
      return { key: await claimed.verify(confirmed), confirmed }
    })
}
