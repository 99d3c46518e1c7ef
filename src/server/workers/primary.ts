// Connects a worker to the primary process. If the primary exits for any reason, Node ends the worker too.

import cluster from 'node:cluster'
import type { RunningServer } from '../server.ts'
import { createBucketClient } from './bucket-client.ts'
import { parseWorkerOptions, type FromWorker, type WorkerOptions, type ToWorker } from './messages.ts'

/** Returns undefined in a process that is not a worker. */
export function connectToPrimary() {
  const self = cluster.worker
  if (!self) return undefined
  const send = (message: FromWorker) => void self.send(message)
  const buckets = createBucketClient((requests) => send({ type: 'take tokens', requests }))
  const start = new Promise<WorkerOptions>((begin) => {
    self.on('message', (message: ToWorker) => message.type === 'start' && begin(parseWorkerOptions(message)))
  })
  const stopped = new Promise<void>((stop) => {
    self.on('message', (message: ToWorker) => message.type === 'stop' && stop())
  })
  self.on('message', (message: ToWorker) => message.type === 'tokens' && buckets.receive(message.tokens))
  /** Lets the primary control the server from now on. */
  const control = (server: RunningServer) =>
    void self.on('message', (message: ToWorker) => {
      if (message.type === 'collect metrics')
        void server.metrics().then((metrics) => send({ type: 'metrics', metrics }))
      else if (message.type === 'replace certificate') server.replaceCertificate(message.certificate)
      else if (message.type === 'drain') server.drain()
    })
  // The primary sends the options only after this message. If it sent them before the listeners exist, they would be
  // lost.
  send({ type: 'ready' })
  /** Lets the worker process end. */
  const disconnect = () => void self.disconnect()
  return { start, stopped, control, buckets, send, disconnect }
}
