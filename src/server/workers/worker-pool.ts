// Starts the workers and replaces those that exit unexpectedly.

import { setTimeout as sleep } from 'node:timers/promises'
import { createBuckets } from '../../api/access/rate-limit.ts'
import { certificateOf, divideSettings, type Config } from '../../config/config.ts'
import type { Target } from '../../db/pool/connection.ts'
import type { Certificate } from '../../config/certificate.ts'
import type { Log, LogStyle } from '../../runtime/log.ts'
import { catalogMetric } from '../../runtime/metrics/catalog.ts'
import { withoutGauges, mergeMetrics, type Metric } from '../../runtime/metrics/metrics.ts'
import { processMetrics } from '../../runtime/metrics/process.ts'
import { takeTokens } from './bucket-client.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

// The delay before the first restart, the second, and so on.
const restartDelaysMs = [0, 100, 200, 400, 800, 1_600]
// After these delays, the pool gives up if no worker is listening, and otherwise keeps retrying with this delay.
const maxRestartDelayMs = 3_000

// After a worker has run for this long, its delays start over.
const stableAfterMs = 60_000

// The time after the grace period until an unresponsive worker is killed.
const killDelayMs = 3_000

interface WorkerPoolOptions {
  config: Config
  log: Log
  logStyle: LogStyle
  writeLog(lines: Uint8Array): void
}

export function createWorkerPool({ config, log, logStyle, writeLog }: WorkerPoolOptions, target: Target) {
  const buckets = createBuckets()
  const stopping = new AbortController()
  const running = new Map<number, WorkerProcess>()
  const listening = new Set<number>()
  let newestCertificate = certificateOf(config)
  let isDraining = false
  let restarts = 0
  let endedMetrics: Metric[] = []
  let giveUp: (error: Error) => void
  /** Resolves when no worker can be kept running. */
  const failed = new Promise<Error>((resolve) => (giveUp = resolve))

  function startAndTrack(worker: number): WorkerProcess {
    const certificate = newestCertificate
    const start = {
      worker,
      config: divideSettings({ ...config, TLS_CERT: certificate?.cert, TLS_KEY: certificate?.key }, worker),
      target,
      logStyle,
    }
    const started = startWorker(start, writeLog, (requests) => takeTokens(buckets, requests))
    running.set(worker, started)
    const onListening = () => {
      listening.add(worker)
      // Catches up on messages that the other workers got while this one started.
      if (isDraining) started.drain()
      if (newestCertificate && newestCertificate !== certificate) started.replaceCertificate(newestCertificate)
    }
    started.listening.then(onListening).catch(() => {})
    void started.ended.then(() => {
      listening.delete(worker)
      endedMetrics = mergeMetrics([endedMetrics, withoutGauges(started.lastMetrics())])
    })
    return started
  }

  async function startAndSupervise(worker: number): Promise<string> {
    // The pool may have been stopped while the first worker started.
    stopping.signal.throwIfAborted()
    const first = startAndTrack(worker)
    const url = await first.listening
    void keepRunning(worker, first)
    return url
  }

  async function keepRunning(worker: number, first: WorkerProcess) {
    let current = first
    let startedAt = Date.now()
    for (let failures = 1; ; failures++) {
      const problem = await current.ended
      if (stopping.signal.aborted) return
      if (Date.now() - startedAt > stableAfterMs) failures = 1
      const delay = restartDelaysMs[failures - 1] ?? maxRestartDelayMs
      if (delay === maxRestartDelayMs && listening.size === 0) {
        return giveUp(new Error(`workers keep failing: ${problem}`))
      }
      log.error('worker exited unexpectedly, restarting', { worker, pid: current.pid, problem, delay_ms: delay })
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      startedAt = Date.now()
      current = startAndTrack(worker)
      restarts++
      const { pid } = current
      current.listening.then(() => log.info('worker restarted', { worker, pid })).catch(() => {})
    }
  }

  return {
    /** Resolves with the URL once all workers are listening; rejects if one cannot listen. */
    async start() {
      // The first worker starts alone: Node fails if several workers request an unavailable port at once.
      const url = await startAndSupervise(1)
      const others = Array.from({ length: config.WORKERS - 1 }, (_, index) => index + 2)
      await Promise.all(others.map(startAndSupervise))
      return url
    },
    pids: () => [...running.values()].map(({ pid }) => pid),
    failed,
    /** Includes workers that have exited, but not what a worker counted between the last collection and a crash. */
    async metrics() {
      const own = await processMetrics()
      const workerMetrics = await Promise.all([...listening].map((worker) => running.get(worker)!.collectMetrics()))
      const poolMetrics = [
        catalogMetric('workgate_workers', listening.size),
        catalogMetric('workgate_worker_restarts_total', restarts),
      ]
      return mergeMetrics([...workerMetrics, endedMetrics, own, poolMetrics])
    },
    replaceCertificate(certificate: Certificate) {
      newestCertificate = certificate
      for (const worker of listening) running.get(worker)!.replaceCertificate(certificate)
    },
    drain() {
      isDraining = true
      for (const worker of listening) running.get(worker)!.drain()
    },
    async stop() {
      stopping.abort()
      for (const worker of running.values()) worker.stop(config.SHUTDOWN_GRACE_MS + killDelayMs)
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
