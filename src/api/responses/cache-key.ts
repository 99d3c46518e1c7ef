// A short digest of what a response shows of its key, for the key of the response cache.

import { createHash } from 'node:crypto'

// A view is the same object as long as the key's record is.
const digests = new WeakMap<object, string>()

export function digestOf(view: object): string {
  let digest = digests.get(view)
  if (digest === undefined) {
    digest = createHash('sha256').update(JSON.stringify(view)).digest('base64url')
    digests.set(view, digest)
  }
  return digest
}
