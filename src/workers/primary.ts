// The first process, as a worker sees it. Where it ends, however that happens, Node ends the worker too.

import cluster from 'node:cluster'
import type { Metric } from '../metrics/metrics.ts'
import { shareBuckets, type SharedBuckets } from './shared-buckets.ts'
import { received, type FromWorker, type Start, type ToWorker } from './messages.ts'

export interface Primary {
  start: Promise<Start>
  stopped: Promise<void>
  /** Calls whenever it wants to know what the worker has counted. */
  whenAsked(count: () => readonly Metric[]): void
  buckets: SharedBuckets
  tell(message: FromWorker): void
  /** After this nothing holds the worker. */
  leave(): void
}

/** Undefined in a process that no other one started as its worker. */
export function joinPrimary(): Primary | undefined {
  const self = cluster.worker
  if (!self) return undefined
  const tell = (message: FromWorker) => void self.send(message)
  const buckets = shareBuckets((wants) => tell({ is: 'wants', wants }))
  const joined = new Promise<Start>((begin) => {
    self.on('message', (message: ToWorker) => message.is === 'start' && begin(received(message)))
  })
  const stopped = new Promise<void>((stop) => {
    self.on('message', (message: ToWorker) => message.is === 'stop' && stop())
  })
  self.on('message', (message: ToWorker) => message.is === 'tokens' && buckets.receive(message.before))
  const whenAsked = (count: () => readonly Metric[]) =>
    void self.on('message', (message: ToWorker) => message.is === 'count' && tell({ is: 'counted', metrics: count() }))
  // What was sent before somebody listens would be lost.
  tell({ is: 'ready' })
  return { start: joined, stopped, whenAsked, buckets, tell, leave: () => void self.disconnect() }
}
