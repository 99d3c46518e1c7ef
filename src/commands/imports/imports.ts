// workgate imports list|undo: lists the last imports, and takes one back.

import type { Database } from '../../db/database.ts'
import { UsageError, type CommandContext } from '../command-context.ts'
import { suggestCommand } from '../parse-options.ts'
import { prepareSchema, retryUntilAvailable, withDatabase } from '../with-database.ts'
import { listImports } from './list-imports.ts'
import { undo } from './undo.ts'
import { importsUsage } from './usages.ts'

/** Checks its arguments before a database is opened. */
type Action = (args: readonly string[], context: CommandContext) => (db: Database) => Promise<void>

const actions: Record<string, Action> = { list: listImports, undo }

export async function imports(context: CommandContext): Promise<void> {
  const [first = 'list'] = context.args
  const isList = first.startsWith('-')
  const name = isList ? 'list' : first
  const action = Object.hasOwn(actions, name) ? actions[name]! : undefined
  if (!action) {
    throw new UsageError(
      `unknown command "imports ${name}"${suggestCommand(name, Object.keys(actions))}\n\n${importsUsage}`,
    )
  }
  const run = action(context.args.slice(isList ? 0 : 1), context)
  await withDatabase(context, async (db) => {
    await retryUntilAvailable(context, () => prepareSchema(context, db))
    await run(db)
  })
}
