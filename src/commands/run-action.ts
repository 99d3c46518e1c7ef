// Runs one action of a command that has several, such as workgate projects show. Without one, it is list.

import type { Database } from '../db/database.ts'
import { UsageError, type CommandContext } from './command-context.ts'
import { suggestCommand } from './parse-options.ts'
import { prepareSchema, retryUntilAvailable, withDatabase } from './with-database.ts'

/** Checks its arguments before a database is opened. The result is printed. */
export type Action = (args: readonly string[], context: CommandContext) => (db: Database) => Promise<string | undefined>

export async function runAction(
  command: string,
  actions: Readonly<Record<string, Action>>,
  usage: string,
  context: CommandContext,
): Promise<void> {
  const [first = 'list'] = context.args
  const isList = first.startsWith('-')
  const name = isList ? 'list' : first
  const action = Object.hasOwn(actions, name) ? actions[name]! : undefined
  if (!action) {
    const nearest = suggestCommand(name, Object.keys(actions))
    throw new UsageError(`unknown command "${command} ${name}"${nearest}\n\n${usage}`)
  }
  const run = action(context.args.slice(isList ? 0 : 1), context)
  await withDatabase(context, async (db) => {
    await retryUntilAvailable(context, () => prepareSchema(context, db))
    const text = await run(db)
    if (text !== undefined) context.print(text)
  })
}
