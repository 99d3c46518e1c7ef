// All workers. One that ends without having been asked to is replaced.

import { setTimeout as sleep } from 'node:timers/promises'
import { createBuckets } from '../../api/access/rate-limit.ts'
import { certificateOf, type Config } from '../../config/config.ts'
import type { Target } from '../../db/connection.ts'
import type { Log } from '../../runtime/log.ts'
import { left, single, together, type Metric } from '../../runtime/metrics/metrics.ts'
import { processMetrics } from '../../runtime/metrics/process.ts'
import type { Serving } from '../serving.ts'
import { divideSettings } from './divide-settings.ts'
import { takeAll } from './shared-buckets.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

// Before the first, second … start after an unexpected end.
const restartDelaysMs = [0, 100, 200, 400, 800, 1_600]
// After the last one we give up where nobody listens, and otherwise go on like this.
const longDelayMs = 3_000

// An end after it ran for this long begins the count anew.
const settledMs = 60_000

// From the end of the grace to the end of a worker that does nothing any more.
const overtimeMs = 3_000

/** Its metrics are of all that it has ever had, but for what one that ended by itself had counted since it was last asked. */
export interface WorkerPool extends Serving {
  /** Comes with the address when all listen; rejects where one of them cannot. */
  start(): Promise<string>
  pids(): (number | undefined)[]
  /** Comes when no worker can be kept running. */
  failed: Promise<Error>
}

interface Options {
  config: Config
  target: Target
  log: Log
  writeLog(lines: Uint8Array): void
}

export function createWorkerPool({ config, target, log, writeLog }: Options): WorkerPool {
  const buckets = createBuckets()
  const stopping = new AbortController()
  const running = new Map<number, WorkerProcess>()
  const listening = new Set<number>()
  let current = certificateOf(config)
  let isDraining = false
  let restarts = 0
  let gone: Metric[] = []
  let giveUp: (error: Error) => void
  const failed = new Promise<Error>((resolve) => (giveUp = resolve))

  function launch(worker: number): WorkerProcess {
    const certificate = current
    const start = {
      worker,
      config: divideSettings({ ...config, TLS_CERT: certificate?.cert, TLS_KEY: certificate?.key }, worker),
      target,
    }
    const launched = startWorker(start, { write: writeLog, take: (wants) => takeAll(buckets, wants) })
    running.set(worker, launched)
    const begin = () => {
      listening.add(worker)
      // What was said to all while it started.
      if (isDraining) launched.drain()
      if (current && current !== certificate) launched.renewCertificate(current)
    }
    launched.listening.then(begin).catch(() => {})
    void launched.ended.then(() => {
      listening.delete(worker)
      gone = together([gone, left(launched.lastCount())])
    })
    return launched
  }

  async function launchAndKeep(worker: number): Promise<string> {
    // It may have been asked to stop while the one before started.
    stopping.signal.throwIfAborted()
    const first = launch(worker)
    const url = await first.listening
    void keepRunning(worker, first)
    return url
  }

  async function keepRunning(worker: number, first: WorkerProcess) {
    let current = first
    let began = Date.now()
    for (let failures = 1; ; failures++) {
      const problem = await current.ended
      if (stopping.signal.aborted) return
      if (Date.now() - began > settledMs) failures = 1
      const delay = restartDelaysMs[failures - 1] ?? longDelayMs
      if (delay === longDelayMs && listening.size === 0) {
        return giveUp(new Error(`no worker can be kept running: ${problem}`))
      }
      log.error('worker ended unexpectedly, starting another', { worker, pid: current.pid, problem, delay_ms: delay })
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      began = Date.now()
      current = launch(worker)
      restarts++
      const { pid } = current
      current.listening.then(() => log.info('worker listens again', { worker, pid })).catch(() => {})
    }
  }

  return {
    async start() {
      // Node gives up where several want a port in the same moment that cannot be had.
      const url = await launchAndKeep(1)
      const others = Array.from({ length: config.WORKERS - 1 }, (_, index) => index + 2)
      await Promise.all(others.map(launchAndKeep))
      return url
    },
    pids: () => [...running.values()].map(({ pid }) => pid),
    failed,
    async metrics() {
      const own = await processMetrics()
      const counts = await Promise.all([...listening].map((worker) => running.get(worker)!.count()))
      const ofCrew = [
        single('gauge', 'workgate_workers', 'Processes that serve requests.', listening.size),
        single('counter', 'workgate_worker_restarts_total', 'Workers that took the place of another.', restarts),
      ]
      return together([...counts, gone, own, ofCrew])
    },
    renewCertificate(certificate) {
      current = certificate
      for (const worker of listening) running.get(worker)!.renewCertificate(certificate)
    },
    drain() {
      isDraining = true
      for (const worker of listening) running.get(worker)!.drain()
    },
    async stop() {
      stopping.abort()
      for (const worker of running.values()) worker.stop(config.SHUTDOWN_GRACE_MS + overtimeMs)
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
