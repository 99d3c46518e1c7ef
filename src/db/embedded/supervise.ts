// Restarts PostgreSQL if it exits unexpectedly.

import { setTimeout as sleep } from 'node:timers/promises'
import type { DataFolder } from './data-folder.ts'
import type { Starter } from './folder-in-use.ts'
import { startPostmaster, type Postmaster } from './postmaster.ts'

// The delays before consecutive restarts. When they are used up, PostgreSQL counts as failed.
const restartDelaysMs = [0, 100, 200, 400, 800, 1_600, 3_000, 3_000, 3_000, 3_000]

// After PostgreSQL has run for this long, the delays start over.
const stableAfterMs = 60_000

/** Runs the program `postgres` in the folder until stop(). */
export async function supervise(folder: DataFolder, postgres: string, starter: Starter) {
  const { log } = starter
  const stopping = new AbortController()
  const start = () => startPostmaster(folder, postgres, starter, stopping.signal)
  let giveUp: (error: Error) => void
  /** Resolves when PostgreSQL cannot be kept running; never otherwise. */
  const failed = new Promise<Error>((resolve) => (giveUp = resolve))
  let postmaster: Postmaster | undefined = await start()
  let stopped: Promise<void> | undefined
  const supervision = keepRunning(postmaster)

  async function keepRunning(first: Postmaster): Promise<void> {
    let failures = 0
    let problem = await waitForEnd(first)
    while (!stopping.signal.aborted) {
      const delay = restartDelaysMs[failures++]
      if (delay === undefined) {
        const logHint = `its log is in ${folder.path}/log`
        return giveUp(new Error(`PostgreSQL cannot be kept running (${logHint}): ${problem}`))
      }
      log.warn('PostgreSQL exited unexpectedly, restarting it', { problem, delay_ms: delay })
      try {
        await sleep(delay, undefined, { signal: stopping.signal })
        postmaster = await start()
        // stop() was called during the start, when there was no postmaster to stop yet.
        if (stopping.signal.aborted) await postmaster.stop()
        else log.info('PostgreSQL restarted', { pid: postmaster.pid })
        const startedAt = Date.now()
        problem = await waitForEnd(postmaster)
        if (Date.now() - startedAt > stableAfterMs) failures = 0
      } catch (error) {
        problem = (error as Error).message
      }
    }
  }

  async function waitForEnd(current: Postmaster): Promise<string> {
    const problem = await current.ended
    postmaster = undefined
    return problem
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await postmaster?.stop()
    await supervision
  }

  return { pid: () => postmaster?.pid, pipe: () => postmaster?.pipe, stop: () => (stopped ??= stop()), failed }
}
