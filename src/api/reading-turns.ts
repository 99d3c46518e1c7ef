// Lets requests that wait read in turns. Thousands can wait for the same change: they must not wait too long for
// connections, and others must get connections and processors meanwhile. All those of a key read on as many connections as
// it gets while other keys are active.

import { minFreePerUsed } from '../db/pool/connection-shares.ts'
import { createFairLimit, createRoundRobinQueue } from '../runtime/fairness.ts'

export interface Reader {
  keyId: string
  isReading: boolean
  /** Set while it waits for its turn. */
  resume: (() => void) | undefined
}

export type Turns = ReturnType<typeof createTurns>

export function createTurns(poolSize: number) {
  const reading = createFairLimit(poolSize, minFreePerUsed)
  const queue = createRoundRobinQueue<Reader>()
  let hasEnded = false

  function resume(reader: Reader) {
    reader.resume?.()
    reader.resume = undefined
  }

  /** At the end of the service, all may read at once. What gets no connection fails soon, and does not delay the end. */
  function resumeNext() {
    let next
    while ((next = queue.next((keyId) => hasEnded || reading.mayTake(keyId)))) {
      reading.take(next.keyId)
      next.isReading = true
      resume(next)
    }
  }

  return {
    /** True at the end of the service. */
    hasEnded: () => hasEnded,

    /** Resolves when it may read, or has given up. */
    take: (reader: Reader) =>
      new Promise<void>((resolve) => {
        reader.resume = resolve
        queue.add(reader.keyId, reader)
        resumeNext()
      }),

    /** Ends its wait for a turn. */
    giveUp(reader: Reader) {
      queue.remove(reader.keyId, reader)
      resume(reader)
    },

    /** Does nothing if it has no turn. */
    release(reader: Reader) {
      if (!reader.isReading) return
      reader.isReading = false
      reading.release(reader.keyId)
      resumeNext()
    },

    end() {
      hasEnded = true
      resumeNext()
    },
  }
}
