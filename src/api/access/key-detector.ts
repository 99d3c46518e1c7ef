// Recognizes API keys in text that a client sent in the wrong place, so that they do not reach the log.

import type { EnvironmentKeys } from './key.ts'
import { sha256 } from './key-text.ts'

/** Any letter case, because a client or a proxy may have changed it. */
export const keyPrefix = /wg_[0-9a-z]{12}_/i

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
