// The connections that a pool has opened, and which of them are idle.

import type { Connection } from './connection.ts'
import type { Statement } from './connection-shares.ts'

export type OpenConnections = ReturnType<typeof createOpenConnections>

/** `onClose` is called after a connection has closed. */
export function createOpenConnections(max: number, connect: (onClose: () => void) => Connection, onClose: () => void) {
  const open = new Set<Connection>()
  /** The one that was used last is at the end. */
  const idle = new Set<Connection>()

  /**
   * Prefers a connection that has prepared the statement, one that makes such plans, so that few need to be switched, and
   * the one that was used last.
   */
  function takeIdle({ text, plans }: Statement): Connection | undefined {
    const connections = [...idle]
    const suitable = connections.filter((one) => one.plans === plans)
    const connection =
      suitable.findLast((one) => one.hasPrepared(text)) ??
      connections.findLast((one) => one.hasPrepared(text)) ??
      suitable.at(-1) ??
      connections.at(-1)
    if (connection) idle.delete(connection)
    return connection
  }

  function openNew(): Connection {
    const connection: Connection = connect(() => {
      open.delete(connection)
      idle.delete(connection)
      onClose()
    })
    open.add(connection)
    return connection
  }

  return {
    all: open as ReadonlySet<Connection>,
    countInUse: () => open.size - idle.size,
    hasFree: () => idle.size > 0 || open.size < max,
    /** Call it only if one is free. */
    take: (statement: Statement): Connection => takeIdle(statement) ?? openNew(),
    putBack(connection: Connection) {
      if (connection.isFull) void connection.end(1)
      else if (open.has(connection)) idle.add(connection)
    },
  }
}
