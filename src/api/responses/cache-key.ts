// Computes the part of a cache key that depends on the API key: a short digest of its view.

import { createHash } from 'node:crypto'

// A key's view is the same object as long as its record is unchanged.
const digests = new WeakMap<object, string>()

export function digestOf(view: object): string {
  let digest = digests.get(view)
  if (digest === undefined) {
    digest = createHash('sha256').update(JSON.stringify(view)).digest('base64url')
    digests.set(view, digest)
  }
  return digest
}
