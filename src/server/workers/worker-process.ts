// One worker, as the first process sees it, from its start to its end.

import cluster from 'node:cluster'
import type { Readable } from 'node:stream'
import { isExecutable } from '../../runtime/executable.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Certificate } from '../../config/certificate.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'
import type { FromWorker, Start, ToWorker, Want } from './messages.ts'

/** Prometheus waits for 10 s unless told otherwise. */
const countWithinMs = 1_000

export interface WorkerProcess {
  pid: number | undefined
  /** Where it listens; rejects where it ends before. */
  listening: Promise<string>
  /** Says how. */
  ended: Promise<string>
  /** What it has counted, or had when it was asked before where it does not answer soon. */
  count(): Promise<readonly Metric[]>
  /** What it was known to have counted. */
  lastCount(): readonly Metric[]
  renewCertificate(certificate: Certificate): void
  drain(): void
  /** Lets it finish what it has begun, for as long as it may take. */
  stop(maxMs: number): void
}

interface Tools {
  /** Takes whole lines of its log. */
  write(lines: Uint8Array): void
  take(wants: readonly Want[]): number[]
}

// Node is asked to run this same program: its file, or in the single executable, where there is no file, nothing but words.
const workerCommand = isExecutable ? { exec: 'worker', args: [] } : { args: ['worker'] }

export function startWorker(start: Start, { write, take }: Tools): WorkerProcess {
  // Its log comes through us: what two processes write into one pipe may be torn.
  cluster.setupPrimary({ ...workerCommand, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const worker = cluster.fork()
  const child = worker.process
  let told: string | undefined
  let error: Error | undefined
  let began = false
  const counting: (() => void)[] = []
  let lastCount: readonly Metric[] = []
  // What cannot be sent goes to one that is about to end.
  const tell = (message: ToWorker) => void worker.send(message, () => {})
  forwardLines(child.stdout!, write)
  const ended = new Promise<string>((resolve) => {
    worker.on('error', (first) => (error ??= first))
    child.once('close', (code, signal) => {
      const asProcess = child.pid === undefined ? error?.message : signal
      resolve(told ?? asProcess ?? `exit code ${code}`)
    })
  })
  const listening = new Promise<string>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.is === 'ready') {
        began = true
        tell({ is: 'start', ...start })
      } else if (message.is === 'listening') resolve(message.url)
      else if (message.is === 'failed') told = message.problem
      else if (message.is === 'counted') {
        lastCount = message.metrics
        counting.shift()?.()
      } else tell({ is: 'tokens', before: take(message.wants) })
    })
    void ended.then((how) => reject(new Error(how)))
  })
  // Whoever waits for it hears of it; afterwards its end says the same.
  listening.catch(() => {})
  return {
    pid: child.pid,
    listening,
    ended,
    async count() {
      const counted = new Promise<void>((resolve) => counting.push(resolve))
      tell({ is: 'count' })
      await Promise.race([counted, ended, sleep(countWithinMs, undefined, { ref: false })])
      return lastCount
    },
    lastCount: () => lastCount,
    renewCertificate: (certificate) => tell({ is: 'renew', certificate }),
    drain: () => tell({ is: 'drain' }),
    stop(maxMs) {
      if (!began) return void child.kill('SIGKILL')
      tell({ is: 'stop' })
      // One that hears nothing any more would hold up the end for ever.
      const timer = setTimeout(() => child.kill('SIGKILL'), maxMs)
      void ended.then(() => clearTimeout(timer))
    },
  }
}

/** What a process that was killed had not written to the end is left out. */
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
