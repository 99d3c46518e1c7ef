// Reads a request's API key from Authorization: Bearer <key> or X-API-Key: <key>, never from the URL, and recognizes keys that a
// client sent in the wrong place, so that they do not reach the log.

import type { Incoming } from '../incoming.ts'
import { invalid, Problem } from '../problems/problem.ts'
import { aControlCharacter, controlCharacter, sha256 } from './key-text.ts'
import type { EnvironmentKeys } from './key.ts'

/** Any letter case, because a client or a proxy may have changed it. */
export const keyPrefix = /wg_[0-9a-z]{12}_/i

const keyParameters = /(?:^|&)(api[-_]?key|x-api-key|access[-_]?token|token|key|authorization)=/i

const keyHeaders = [
  ['Authorization', 'authorization'],
  ['X-API-Key', 'x-api-key'],
] as const

export const controlCharacterIn = (header: string) =>
  `The ${header} header contains ${aControlCharacter}. A key that was read from a file often ends with one: remove it.`

export function readCredential(headers: Incoming['headers'], search: string): string {
  const [, queryName] = keyParameters.exec(search) ?? []
  if (queryName !== undefined || keyPrefix.test(search)) {
    throw invalid({
      in: 'query',
      name: queryName ?? '?',
      message:
        'an API key must not be in the URL, where logs and browser histories record it; revoke this key and send a new one in the Authorization header',
    })
  }

  for (const [name, header] of keyHeaders)
    if (headers[header]?.some((value) => controlCharacter.test(value))) throw unauthenticated(controlCharacterIn(name))
  const bearerKeys = (headers['authorization'] ?? []).map((value) => /^Bearer +(\S+) *$/i.exec(value)?.[1])
  if (bearerKeys.includes(undefined)) throw unauthenticated('The Authorization header must be "Bearer <API key>".')
  // A proxy may join two headers with a comma. Keys contain no commas.
  const apiKeys = (headers['x-api-key'] ?? []).flatMap((value) => value.split(',')).map((value) => value.trim())
  const keys = new Set([...bearerKeys, ...apiKeys])
  if (keys.size > 1) {
    throw new Problem(
      'AMBIGUOUS_CREDENTIALS',
      'The Authorization and X-API-Key headers contain different keys. Send only one.',
    )
  }
  const [credential] = keys
  if (!credential)
    throw unauthenticated('Send an API key as "Authorization: Bearer <API key>" or "X-API-Key: <API key>".')
  return credential
}

export function unauthenticated(detail: string): Problem {
  return new Problem('UNAUTHENTICATED', detail, { headers: { 'www-authenticate': 'Bearer realm="workgate"' } })
}

/** The problem for a known key that is no longer valid. */
export function invalidKey(code: 'KEY_REVOKED' | 'KEY_EXPIRED', detail: string): Problem {
  return new Problem(code, detail, {
    headers: { 'www-authenticate': 'Bearer realm="workgate", error="invalid_token"' },
  })
}

/** Returns true if the text contains the beginning of a key from the database, or is a key from the environment. */
export type KeyDetector = (text: string) => boolean

export function createKeyDetector(environmentKeys: EnvironmentKeys): KeyDetector {
  /** These keys can have any form, so only their hashes can be compared. Without such keys, nothing is hashed. */
  function isEnvironmentKey(text: string): boolean {
    if (environmentKeys.size === 0) return false
    const lowerCase = text.toLowerCase()
    return [text, ...(lowerCase === text ? [] : [lowerCase])].some((one) => environmentKeys.find(sha256(one)))
  }
  return (text) => keyPrefix.test(text) || isEnvironmentKey(text)
}
