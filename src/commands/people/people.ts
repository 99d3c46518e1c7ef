// workgate people list|merge: shows the users, and makes one of several that are the same person.

import type { Database } from '../../db/database.ts'
import { UsageError, type CommandContext } from '../command-context.ts'
import { suggestCommand } from '../parse-options.ts'
import { prepareSchema, retryUntilAvailable, withDatabase } from '../with-database.ts'
import { list } from './list-people.ts'
import { merge } from './merge-people.ts'
import { peopleUsage } from './usages.ts'

/** Checks its arguments before a database is opened, and returns the text to print. */
type Action = (args: readonly string[], context: CommandContext) => (db: Database) => Promise<string>

const actions: Record<string, Action> = { list, merge }

export async function people(context: CommandContext): Promise<void> {
  const [first = 'list'] = context.args
  const isList = first.startsWith('-')
  const name = isList ? 'list' : first
  const action = Object.hasOwn(actions, name) ? actions[name]! : undefined
  if (!action) {
    throw new UsageError(
      `unknown command "people ${name}"${suggestCommand(name, Object.keys(actions))}\n\n${peopleUsage}`,
    )
  }
  const run = action(context.args.slice(isList ? 0 : 1), context)
  await withDatabase(context, async (db) => {
    await retryUntilAvailable(context, () => prepareSchema(context, db))
    context.print(await run(db))
  })
}
