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
import { planSettings, type Plans } from './plan-settings.ts'

export function openPoolerConnection(
  target: Target,
  plans: Plans,
  settings: SessionSettings,
  onClose: () => void,
): Connection {
  const connection = openConnection(target, plans, settings, onClose)
  const beginStatement = createBeginStatement({
    ...planSettings(plans),
    ...settings,
    // If this process hangs, PostgreSQL ends its transaction and releases its locks.
    idle_in_transaction_session_timeout: settings['statement_timeout']!,
  })

  /** Sent together, so that the transaction needs no round trip of its own. After an error, "commit" rolls back. */
  async function run<Row>(text: string, values: readonly Parameter[] = []): Promise<Row[]> {
    const sent = [
      connection.script(beginStatement),
      connection.run<Row>(text, values),
      connection.script('commit'),
    ] as const
    const [begun, ran, committed] = await Promise.allSettled(sent)
    // The first error is the cause of the others.
    for (const result of [begun, ran, committed]) if (result.status === 'rejected') throw result.reason
    return (ran as PromiseFulfilledResult<Row[]>).value
  }

  return { ...connection, run }
}

function createBeginStatement(settings: SessionSettings): string {
  const lines = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)
  return [begin, ...lines].join('; ')
}
