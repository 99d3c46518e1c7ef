// Lets connections take turns: after some time, further work waits until other events were processed.

// Clients that read fast could otherwise keep the event loop busy with the next request of the same connection.
const maxSliceMs = 5

export interface TimeSlices {
  /** Returns whether the current turn of the event loop has time left. */
  hasTime(): boolean
  /** Calls the function in a later turn. */
  wait(resume: () => void): void
}

export function createTimeSlices(): TimeSlices {
  const waiting = new Set<() => void>()
  let endsAt: number | undefined

  function nextSlice() {
    endsAt = undefined
    for (const resume of waiting) {
      if (!hasTime()) return
      waiting.delete(resume)
      resume()
    }
  }

  function hasTime(): boolean {
    const now = performance.now()
    if (endsAt === undefined) {
      endsAt = now + maxSliceMs
      setImmediate(nextSlice)
    }
    return now < endsAt
  }

  return { hasTime, wait: (resume) => void waiting.add(resume) }
}
