// Opens a connection through a pooler such as PgBouncer in transaction mode. Each transaction may run on another server
// connection, which clients share: settings are set in every transaction, and statements are not prepared.

import {
  begin,
  openConnection,
  type Connection,
  type Parameter,
  type SessionSettings,
  type Target,
} from './connection.ts'

export function openPoolerConnection(target: Target, settings: SessionSettings, onClose: () => void): Connection {
  const connection = openConnection(target, settings, onClose)
  const beginStatement = createBeginStatement({
    ...settings,
    // If this process hangs, PostgreSQL ends its transaction and releases its locks.
    idle_in_transaction_session_timeout: settings['statement_timeout']!,
  })

  async function run<Row>(text: string, values: readonly Parameter[] = []): Promise<Row[]> {
    try {
      // Sent together, so that "begin" needs no round trip of its own.
      const [, rows] = await Promise.all([connection.script(beginStatement), connection.run<Row>(text, values)])
      await connection.script('commit')
      return rows
    } catch (error) {
      // If the rollback fails, the connection is lost and the transaction with it.
      await connection.script('rollback').catch(() => {})
      throw error
    }
  }

  return { ...connection, run }
}

function createBeginStatement(settings: SessionSettings): string {
  const lines = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)
  return [begin, ...lines].join('; ')
}
