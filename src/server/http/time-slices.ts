// Lets connections take turns, so that clients that send and read fast do not keep the event loop busy. Node accepts only
// one connection in each turn of its event loop, so turns have to be short, above all while clients connect.

const maxSliceMs = 5
const maxShortSliceMs = 0.4
const maxResumesPerTurn = 32

export type TimeSlices = ReturnType<typeof createTimeSlices>

export function createTimeSlices() {
  const first = new Set<() => void>()
  const further = new Set<() => void>()
  /** Undefined before the first work of a turn. */
  let startedAt: number | undefined
  let isShort = false
  let resumed = 0
  let scheduled = 0

  function beginTurn() {
    if (startedAt !== undefined) return
    startedAt = performance.now()
    setImmediate(endTurn)
  }

  function endTurn() {
    // The last of the scheduled calls ends the turn.
    if (scheduled > 0) return
    startedAt = undefined
    isShort = false
    resumed = 0
  }

  const hasTimeLeft = () => performance.now() < startedAt! + (isShort ? maxShortSliceMs : maxSliceMs)

  /** Each call is an event of its own, because the work goes on in microtasks, which run after each event. */
  function schedule() {
    if (scheduled > 0) return
    scheduled = Math.min(first.size + further.size, maxResumesPerTurn)
    for (let n = 0; n < scheduled; n++) setImmediate(resumeNext)
  }

  function resumeNext() {
    scheduled--
    beginTurn()
    if (resumed === 0 || hasTimeLeft()) {
      resumed++
      const waiting = first.size > 0 ? first : further
      for (const resume of waiting) {
        waiting.delete(resume)
        resume()
        break
      }
    }
    endTurn()
    schedule()
  }

  return {
    /** Returns whether work may start now. It has to wait if other work waits, if time is over, and while clients connect. */
    hasTime() {
      beginTurn()
      return first.size + further.size === 0 && hasTimeLeft()
    },
    /** Calls the function in a later turn. The first request of a connection goes before further ones. */
    wait(resume: () => void, isFirst: boolean) {
      if (first.has(resume) || further.has(resume)) return
      const waiting = isFirst ? first : further
      waiting.add(resume)
      schedule()
    },
    /** Keeps the current turn short, because a client has connected. */
    shorten() {
      beginTurn()
      isShort = true
    },
  }
}
