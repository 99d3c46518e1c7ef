// Runs statements on behalf of an owner, with which they share the connections of the pool fairly.

import type { Owner } from './owner.ts'
import type { Runner } from './pool.ts'

/** `onStart` is called when a statement gets a connection, immediately if one is free. */
export function ownedBy(db: Runner, owner: Owner, onStart?: () => void): Runner {
  return { run: (text, values, options) => db.run(text, values, { ...options, owner, onStart }) }
}
