// Limits how many tasks run at once, fairly between the keys that they run for.

import { createPlaces } from '../../runtime/places.ts'
import { createTurns } from '../../runtime/turns.ts'

/** Tasks over the limit, or over the share of their key, wait. Keys take turns. */
export function limitConcurrency(maxRunning: number) {
  const waiting = createTurns<{ keyId: string; start(): void }>()
  const running = createPlaces(maxRunning)

  function startWaiting() {
    let next
    while ((next = waiting.next(running.mayTake))) {
      running.take(next.keyId)
      next.start()
    }
  }

  return async function run<Result>(keyId: string, work: () => Promise<Result>): Promise<Result> {
    if (running.mayTake(keyId)) running.take(keyId)
    else await new Promise<void>((start) => waiting.add(keyId, { keyId, start }))
    try {
      return await work()
    } finally {
      running.release(keyId)
      startWaiting()
    }
  }
}
