// A connection to a pooler such as PgBouncer in transaction mode. Behind it there is another connection to the server for
// each transaction, shared with others: settings hold for a transaction only and are said in each, and nothing is prepared.

import { begin, openConnection, type Connection, type Parameter, type Settings, type Target } from './connection.ts'

export function openPooled(target: Target, settings: Settings, onclose: () => void): Connection {
  const connection = openConnection(target, settings, onclose)
  const beginWithSettings = beginWith({
    ...settings,
    // Should this process stand still, what its transaction holds is not held for good.
    idle_in_transaction_session_timeout: settings['statement_timeout']!,
  })

  async function run<Row>(text: string, values: readonly Parameter[] = []): Promise<Row[]> {
    try {
      // SentResponse together, so that to begin takes no time on the way.
      const [, rows] = await Promise.all([connection.script(beginWithSettings), connection.run<Row>(text, values)])
      await connection.script('commit')
      return rows
    } catch (error) {
      // Where it fails the connection is lost, and the transaction with it.
      await connection.script('rollback').catch(() => {})
      throw error
    }
  }

  return { ...connection, run }
}

function beginWith(settings: Settings): string {
  const lines = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)
  return [begin, ...lines].join('; ')
}
