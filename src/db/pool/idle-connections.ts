// The connections of a pool that no statement uses.

import type { Connection } from './connection.ts'
import type { Plans } from './plan-settings.ts'

export interface IdleConnections {
  readonly size: number
  add(connection: Connection): void
  /** Prefers a connection that makes such plans, so that few need to be switched, and the one that was used last. */
  take(plans: Plans): Connection | undefined
  remove(connection: Connection): void
}

export function createIdleConnections(): IdleConnections {
  const connections: Connection[] = []
  return {
    get size() {
      return connections.length
    },
    add(connection) {
      connections.push(connection)
    },
    take(plans) {
      const index = connections.findLastIndex((connection) => connection.plans === plans)
      return index < 0 ? connections.pop() : connections.splice(index, 1)[0]
    },
    remove(connection) {
      const index = connections.indexOf(connection)
      if (index >= 0) connections.splice(index, 1)
    },
  }
}
