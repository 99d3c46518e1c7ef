// Identifies the caller of a request: reads the key, and verifies it against the version of the data that the response
// depends on.

import type { Freshness } from '../freshness/freshness.ts'
import { versionScopeOf } from '../freshness/version-scope.ts'
import type { Incoming } from '../incoming.ts'
import type { Authenticator, Identity } from './authenticate.ts'
import { readCredential } from './credentials.ts'

/** Throws a problem if the request has no valid key. */
export type Identify = (
  incoming: Incoming,
  target: { search: string; projectId: string | null },
  isDisconnected?: () => boolean,
) => Promise<Identity>

export function createIdentify(authenticator: Authenticator, freshness: Freshness): Identify {
  return async (incoming, { search, projectId }, isDisconnected) =>
    authenticator.authenticate(readCredential(incoming.headers, search), incoming.address, () =>
      freshness.check(versionScopeOf(projectId), isDisconnected),
    )
}
