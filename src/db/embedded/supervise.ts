// Starts PostgreSQL again when it ends without having been asked to.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../runtime/log.ts'
import { launch, type Postmaster, type Server } from './postmaster.ts'

// Before the first, second … start after an unexpected end. After the last one we give up.
const restartDelaysMs = [0, 100, 200, 400, 800, 1_600, 3_000, 3_000, 3_000, 3_000]

// An end after it ran for this long begins the count anew.
const settledMs = 60_000

export interface Supervised {
  pid(): number | undefined
  /** Ends PostgreSQL; does nothing to one that somebody else runs. */
  stop(): Promise<void>
  /** Comes when PostgreSQL cannot be kept running; never otherwise. */
  failed: Promise<Error>
}

export async function supervise(server: Server, log: Log): Promise<Supervised> {
  const stopping = new AbortController()
  let giveUp: (error: Error) => void
  const failed = new Promise<Error>((resolve) => (giveUp = resolve))
  let postmaster: Postmaster | undefined = await launch(server, stopping.signal)
  let stopped: Promise<void> | undefined
  const supervision = keepRunning(postmaster)

  async function keepRunning(first: Postmaster): Promise<void> {
    let failures = 0
    let problem = await endOf(first)
    while (!stopping.signal.aborted) {
      const delay = restartDelaysMs[failures++]
      if (delay === undefined) {
        const place = `its log is in ${server.folder.path}/log`
        return giveUp(new Error(`PostgreSQL cannot be kept running (${place}): ${problem}`))
      }
      log.warn('PostgreSQL ended unexpectedly, starting it again', { problem, delay_ms: delay })
      try {
        await sleep(delay, undefined, { signal: stopping.signal })
        postmaster = await launch(server, stopping.signal)
        // `stop` came in its last moment, and found nothing to stop.
        if (stopping.signal.aborted) await postmaster.stop()
        else log.info('PostgreSQL runs again', { pid: postmaster.pid })
        const began = Date.now()
        problem = await endOf(postmaster)
        if (Date.now() - began > settledMs) failures = 0
      } catch (error) {
        problem = (error as Error).message
      }
    }
  }

  async function endOf(current: Postmaster): Promise<string> {
    const problem = await current.ended
    postmaster = undefined
    return problem
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await postmaster?.stop()
    await supervision
  }

  return { pid: () => postmaster?.pid, stop: () => (stopped ??= stop()), failed }
}
