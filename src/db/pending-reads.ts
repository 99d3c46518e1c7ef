// Lets requests share a read in progress. A read that waits for a connection is shared only by requests of its owner,
// because it could wait long for the turn of another owner. Once it has a connection, every request can share it.

export interface PendingReads<Result> {
  /** Returns a read that a request of this owner can share. */
  find(ownerId: string): Promise<Result> | undefined
  /** Starts a read for an owner that cannot share one. `run` calls `onStart` when its statement gets a connection. */
  add(ownerId: string, run: (onStart: () => void) => Promise<Result>): Promise<Result>
  isEmpty(): boolean
}

export function createPendingReads<Result>(): PendingReads<Result> {
  const reads = new Map<string, Promise<Result>>()
  let startedOwner: string | undefined
  return {
    find: (ownerId) => reads.get(startedOwner ?? ownerId),
    add(ownerId, run) {
      const read = run(() => (startedOwner ??= ownerId)).finally(() => {
        reads.delete(ownerId)
        if (startedOwner === ownerId) startedOwner = undefined
      })
      reads.set(ownerId, read)
      return read
    },
    isEmpty: () => reads.size === 0,
  }
}
