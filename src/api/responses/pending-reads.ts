// Lets requests share a read in progress. A read that waits for a connection is shared only by requests of its owner,
// because it could wait long for the turn of another owner. Once it has a connection, every request can share it.

import type { Owner } from '../../db/pool/connection-shares.ts'

export type PendingReads<Result> = ReturnType<typeof createPendingReads<Result>>

export function createPendingReads<Result>() {
  const reads = new Map<Owner, Promise<Result>>()
  let startedOwner: Owner | undefined
  return {
    /** Returns a read that a request of this owner can share. */
    find: (owner: Owner) => reads.get(startedOwner ?? owner),

    /** Starts a read for an owner that cannot share one. `run` calls `onStart` when its statement gets a connection. */
    add(owner: Owner, run: (onStart: () => void) => Promise<Result>): Promise<Result> {
      const read = run(() => (startedOwner ??= owner)).finally(() => {
        reads.delete(owner)
        if (startedOwner === owner) startedOwner = undefined
      })
      reads.set(owner, read)
      return read
    },

    isEmpty: () => reads.size === 0,
  }
}
