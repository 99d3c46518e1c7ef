// Checks that a key can access the API, and lists keys that are expired, about to expire, unused, or easy to guess.

import type { Config } from '../../config/config.ts'
import type { Session } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { formatCount, formatNames, ok, warning, type Outcome } from './finding.ts'
import keysSql from '../../../sql/doctor/keys.sql'

interface KeySummary {
  inForce: number
  /** Names as a JSON array, like the three fields below. */
  expired: string | null
  ending: string | null
  neverUsed: string | null
  longUnused: string | null
}

const findKeys = query<KeySummary>(keysSql)

export async function checkKeys(session: Session, { API_KEYS }: Config): Promise<Outcome> {
  const [row] = await findKeys(session, {})
  const { inForce, expired, ending, neverUsed, longUnused } = row!
  const summary = [
    formatCount(inForce, 'valid key'),
    API_KEYS.size > 0 && `${API_KEYS.size} from the environment`,
    expired && `expired: ${listNames(expired)}`,
    neverUsed && `never used: ${listNames(neverUsed)}`,
  ]
    .filter(Boolean)
    .join('; ')
  if (inForce + API_KEYS.size === 0) {
    return warning(`${summary}: no key can access the API.`, 'Create one with "workgate keys create".')
  }
  if (API_KEYS.weak.length > 0) {
    return warning(
      `${summary}; easy to guess: ${formatNames(API_KEYS.weak)}.`,
      'Replace them in API_KEYS with random keys, such as the output of "openssl rand -hex 32".',
    )
  }
  if (ending) {
    return warning(
      `${summary}; expiring within 7 days: ${listNames(ending)}.`,
      'Create replacements, and give them to the clients that use these keys.',
    )
  }
  if (longUnused) {
    return warning(
      `${summary}; not used for 90 days: ${listNames(longUnused)}.`,
      'Revoke the keys that are no longer needed.',
    )
  }
  return ok(summary)
}

const listNames = (names: string) => formatNames(JSON.parse(names) as string[])
