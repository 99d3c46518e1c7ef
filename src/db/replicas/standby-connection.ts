// Opens a connection to a standby. A statement with a position runs once the same connection has said that the standby
// has replayed it: another one may have reached the server before it restarted, perhaps from an older state.

import { setTimeout as sleep } from 'node:timers/promises'
import { StandbyBehind } from '../errors.ts'
import { openConnection } from '../pool/connection.ts'
import type { Position } from '../pool/pool.ts'
import { hasReached, readReplayed, type Replayed } from './replayed.ts'

/** How long a statement waits, in all. A new connection may take longer to open; later statements find it open. */
const maxWaitMs = 5
const retryMs = 1

export function standbyConnections(onReplayed: (replayed: Replayed) => void): typeof openConnection {
  return (target, initialPlans, settings, onClose) => {
    const connection = openConnection(target, initialPlans, settings, onClose)
    let replayed: Replayed | undefined

    async function reach(position: Position) {
      const deadline = performance.now() + maxWaitMs
      while (!replayed || !hasReached(replayed, position)) {
        replayed = await within(deadline - performance.now(), readReplayed(connection))
        onReplayed(replayed)
        if (!hasReached(replayed, position)) await within(deadline - performance.now(), sleep(retryMs))
      }
    }

    return Object.assign(Object.create(connection) as typeof connection, {
      async run(text, values, options = {}) {
        if (options.position) await reach(options.position)
        return connection.run(text, values, options)
      },
    } satisfies Partial<typeof connection>)
  }
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StandbyBehind()), ms)
    void work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
