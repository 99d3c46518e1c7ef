// Work that nobody waits for: done again and again, and where it fails, made up for the next time.

import { describeCause } from './describe-cause.ts'
import type { Log } from '../runtime/log.ts'

export interface PeriodicTask {
  /** Does it once more, after the turn that may be running. */
  run(): Promise<void>
  close(): void
}

export function runPeriodically(
  log: Log,
  intervalMs: number,
  failure: string,
  work: () => Promise<void>,
): PeriodicTask {
  let failing = false
  let running = 0
  let last = Promise.resolve()
  const timer = setInterval(() => void (running === 0 && run()), intervalMs)
  timer.unref()

  function run() {
    running++
    return (last = last.then(attempt).finally(() => running--))
  }

  async function attempt() {
    try {
      await work()
      failing = false
    } catch (error) {
      // Told once, however often it is tried until it works again.
      if (!failing) log.warn(failure, { cause: describeCause(error) })
      failing = true
    }
  }

  return { run, close: () => clearInterval(timer) }
}
