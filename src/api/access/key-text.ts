// The text of a key: wg_<id>_<secret><check>, see workgate.new_key() in sql/migrations/0004-keys.sql.

import { createHash, timingSafeEqual } from 'node:crypto'

const form = /^(wg_([0-9a-z]{12})_[0-9a-z]{48})([0-9a-f]{6})$/

/** The id inside, or undefined where the text is no key or was mistyped. */
export function keyIdOf(text: string): string | undefined {
  const [, body, id, check] = form.exec(text) ?? []
  return body !== undefined && sha256(body).startsWith(check!) ? id : undefined
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Compares two hex digests in a time that does not depend on where they differ. */
export function sameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
