// Parses and hashes the text of a key: wg_<id>_<secret><check>; see workgate.new_key() in sql/migrations/0006-keys.sql.

import * as crypto from 'node:crypto'

const pattern = /^(wg_([0-9a-z]{12})_[0-9a-z]{48})([0-9a-f]{6})$/

// oxlint-disable-next-line no-control-regex
export const controlCharacter = /[\0-\x1f\x7f]/

/** Names it in an error. */
export const aControlCharacter = 'a line break or another control character'

/** Control characters, and characters that change the direction of the writing. */
const unprintable = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
export const nameRule =
  '1 to 100 characters, without control characters, changes of the writing direction, unpaired surrogates, or spaces at the start or end'
/** The same rule as in the database. It counts characters, not UTF-16 code units. */
export const isKeyName = (name: string): boolean =>
  /^\S(.{0,98}\S)?$/u.test(name) && name.isWellFormed() && !unprintable.test(name)

/** Returns the id inside the key, or undefined if the text is not a key or is mistyped. */
export function keyIdOf(text: string): string | undefined {
  const [, body, id, check] = pattern.exec(text) ?? []
  return body !== undefined && sha256(body).startsWith(check!) ? id : undefined
}

// Node 20.12 added hash(), which takes a quarter of the time.
export const sha256: (text: string) => string = crypto.hash
  ? (text) => crypto.hash('sha256', text, 'hex')
  : (text) => crypto.createHash('sha256').update(text).digest('hex')

/** Compares two hex digests in constant time. */
export function sameDigest(a: string, b: string): boolean {
  return a.length === b.length && crypto.timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
