// Limits how many tasks run at once, fairly between the keys that they run for.

import { createFairLimit } from '../../runtime/fair-limit.ts'
import { createRoundRobinQueue } from '../../runtime/round-robin-queue.ts'

/** Tasks over the limit, or over the share of their key, wait. Keys take turns. */
export function limitConcurrency(maxRunning: number) {
  const waiting = createRoundRobinQueue<{ keyId: string; start(): void }>()
  const running = createFairLimit(maxRunning)

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
