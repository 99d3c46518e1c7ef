// Starts and stops one worker process, and exchanges messages with it.

import cluster from 'node:cluster'
import type { Readable } from 'node:stream'
import { isExecutable } from '../../runtime/program.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Certificate } from '../../config/certificate.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'
import type { FromWorker, WorkerOptions, ToWorker, TokenRequest } from './messages.ts'

/** By default Prometheus waits for 10 s. */
const metricsTimeoutMs = 1_000

export type WorkerProcess = ReturnType<typeof startWorker>

// Node runs this same program again. The single executable has no script file, so its only argument is the command.
const workerCommand = isExecutable ? { exec: 'worker', args: [] } : { args: ['worker'] }

/** `writeLog` receives whole lines of the worker's log. */
export function startWorker(
  options: WorkerOptions,
  writeLog: (lines: Uint8Array) => void,
  takeTokens: (requests: readonly TokenRequest[]) => number[],
) {
  // The primary forwards the log, since lines that two processes write to one pipe may be interleaved.
  cluster.setupPrimary({ ...workerCommand, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const worker = cluster.fork()
  const child = worker.process
  let reportedProblem: string | undefined
  let error: Error | undefined
  let isReady = false
  const pendingCollections: (() => void)[] = []
  let lastMetrics: readonly Metric[] = []
  // If sending fails, the worker is about to exit.
  const send = (message: ToWorker) => void worker.send(message, () => {})
  forwardLines(child.stdout!, writeLog)
  const ended = new Promise<string>((resolve) => {
    worker.on('error', (first) => (error ??= first))
    child.once('close', (code, signal) => {
      const asProcess = child.pid === undefined ? error?.message : signal
      resolve(reportedProblem ?? asProcess ?? `exit code ${code}`)
    })
  })
  const listening = new Promise<string>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') {
        isReady = true
        send({ type: 'start', ...options })
      } else if (message.type === 'listening') resolve(message.url)
      else if (message.type === 'failed') reportedProblem = message.problem
      else if (message.type === 'metrics') {
        lastMetrics = message.metrics
        pendingCollections.shift()?.()
      } else send({ type: 'tokens', tokens: takeTokens(message.requests) })
    })
    void ended.then((reason) => reject(new Error(reason)))
  })
  // Prevents an unhandled rejection: after the start, `ended` gives the same reason.
  listening.catch(() => {})
  return {
    pid: child.pid,
    /** Resolves with its URL; rejects if it exits first. */
    listening,
    /** Resolves with the reason. */
    ended,
    /** Returns the last metrics if it does not respond in time. */
    async collectMetrics() {
      const collected = new Promise<void>((resolve) => pendingCollections.push(resolve))
      send({ type: 'collect metrics' })
      await Promise.race([collected, ended, sleep(metricsTimeoutMs, undefined, { ref: false })])
      return lastMetrics
    },
    lastMetrics: () => lastMetrics,
    replaceCertificate: (certificate: Certificate) => send({ type: 'replace certificate', certificate }),
    drain: () => send({ type: 'drain' }),
    /** Lets running requests finish. Kills the worker after maxMs. */
    stop(maxMs: number) {
      if (!isReady) return void child.kill('SIGKILL')
      send({ type: 'stop' })
      // A worker that does not respond would block the shutdown forever.
      const timer = setTimeout(() => child.kill('SIGKILL'), maxMs)
      void ended.then(() => clearTimeout(timer))
    },
  }
}

/** Forwards whole lines only, so the last line of a killed process may be dropped. */
export function forwardLines(output: Readable, write: (lines: Uint8Array) => void) {
  const newline = 10
  let rest: Buffer[] = []
  output.on('data', (bytes: Buffer) => {
    const end = bytes.lastIndexOf(newline) + 1
    if (end > 0) {
      write(Buffer.concat([...rest, bytes.subarray(0, end)]))
      rest = []
    }
    if (end < bytes.length) rest.push(bytes.subarray(end))
  })
}
