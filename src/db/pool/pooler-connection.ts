// Opens a connection through a pooler such as PgBouncer in transaction mode. Each transaction may run on another server
// connection, which clients share: settings are set in every transaction, and statements are not prepared.

import { begin, openConnection, type Parameter } from './connection.ts'
import { planSettings } from './plan-settings.ts'

export const openPoolerConnection: typeof openConnection = (target, plans, settings, onClose) => {
  const connection = openConnection(target, plans, settings, onClose)
  const allSettings = {
    ...planSettings(plans),
    ...settings,
    // If this process hangs, PostgreSQL ends its transaction and releases its locks.
    idle_in_transaction_session_timeout: settings['statement_timeout'],
  }
  const setLocal = Object.entries(allSettings).map(([name, value]) => `set local ${name} = ${value}`)
  const beginStatement = [begin, ...setLocal].join('; ')

  /** Sent together, so that the transaction needs no round trip of its own. After an error, "commit" rolls back. */
  async function run<Row>(text: string, values: readonly Parameter[] = []): Promise<Row[]> {
    const results = await Promise.allSettled([
      connection.script(beginStatement),
      connection.run<Row>(text, values),
      connection.script('commit'),
    ])
    // The first error is the cause of the others.
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return (results[1] as PromiseFulfilledResult<Row[]>).value
  }

  return { ...connection, run }
}
