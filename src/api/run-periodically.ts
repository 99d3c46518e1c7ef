// Runs background work that no request waits for. A run that fails is retried on the next tick.

import { describeCause } from '../db/errors.ts'
import type { Log } from '../runtime/log.ts'

export interface PeriodicTask {
  /** Runs the work now, or after the run that is in progress. */
  run(): Promise<void>
  close(): void
}

export function runPeriodically(
  log: Log,
  intervalMs: number,
  failure: string,
  work: () => Promise<void>,
): PeriodicTask {
  let isFailing = false
  let pending = 0
  let last = Promise.resolve()
  const timer = setInterval(() => void (pending === 0 && run()), intervalMs)
  timer.unref()

  function run() {
    pending++
    return (last = last.then(runOnce).finally(() => pending--))
  }

  async function runOnce() {
    try {
      await work()
      isFailing = false
    } catch (error) {
      // Logged once per outage, not once per retry.
      if (!isFailing) log.warn(failure, { cause: describeCause(error) })
      isFailing = true
    }
  }

  return { run, close: () => clearInterval(timer) }
}
