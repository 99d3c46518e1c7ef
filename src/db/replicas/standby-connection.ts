// Opens a connection to a standby. A statement with a position runs once the same connection has said that the standby
// has replayed it: another one may have reached the server before it restarted, perhaps from an older state.

import { setTimeout as sleep } from 'node:timers/promises'
import { StandbyBehind } from '../errors.ts'
import { openConnection } from '../pool/connection.ts'
import type { LogPosition } from '../pool/pool.ts'
import { hasReached, readReplayed, type Replayed } from './replayed.ts'

/** How long a statement waits, in all. A new connection may take longer to open; later statements find it open. */
const maxWaitMs = 5
const retryMs = 1

export function standbyConnections(onReplayed: (replayed: Replayed) => void): typeof openConnection {
  return (target, initialPlans, settings, onClose) => {
    const connection = openConnection(target, initialPlans, settings, onClose)
    let replayed: Replayed | undefined

    async function ask() {
      replayed = await readReplayed(connection)
      onReplayed(replayed)
    }

    async function reach(position: LogPosition) {
      const deadline = performance.now() + maxWaitMs
      for (let asks = 0; !replayed || !hasReached(replayed, position); asks++) {
        if (asks > 0) await sleep(retryMs)
        const asked = ask()
        if (!(await isDoneIn(deadline - performance.now(), asked))) throw new StandbyBehind()
        await asked
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

/** Resolves to false if the work takes longer. Whoever needs its result also gets its error. */
export function isDoneIn(ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    // If the process was busy, timers come before what has arrived in the meantime.
    const timer = setTimeout(() => setImmediate(resolve, false), ms)
    const done = () => {
      clearTimeout(timer)
      resolve(true)
    }
    work.then(done, done)
  })
}
