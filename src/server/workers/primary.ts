// The first process, as a worker sees it. Where it ends, however that happens, Node ends the worker too.

import cluster from 'node:cluster'
import type { Serving } from '../serving.ts'
import { shareBuckets, type SharedBuckets } from './shared-buckets.ts'
import { received, type FromWorker, type Start, type ToWorker } from './messages.ts'

export interface Primary {
  start: Promise<Start>
  stopped: Promise<void>
  /** From now on it hears what the first process wants. */
  attend(serving: Serving): void
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
  const attend = (serving: Serving) =>
    void self.on('message', (message: ToWorker) => {
      if (message.is === 'count') void serving.metrics().then((metrics) => tell({ is: 'counted', metrics }))
      else if (message.is === 'renew') serving.renewCertificate(message.certificate)
      else if (message.is === 'drain') serving.drain()
    })
  // What was sent before somebody listens would be lost.
  tell({ is: 'ready' })
  return { start: joined, stopped, attend, buckets, tell, leave: () => void self.disconnect() }
}
