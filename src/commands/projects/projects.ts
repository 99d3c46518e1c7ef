// workgate projects list|show|archive|unarchive|rename|due|delete: shows and changes projects.

import type { Database } from '../../db/database.ts'
import { UsageError, type CommandContext } from '../command-context.ts'
import { suggestCommand } from '../parse-options.ts'
import { prepareSchema, retryUntilAvailable, withDatabase } from '../with-database.ts'
import { archive, due, rename, unarchive } from './change-project.ts'
import { deleteProject } from './delete-project.ts'
import { list } from './list-projects.ts'
import { show } from './show-project.ts'
import { projectsUsage } from './usages.ts'

/** Checks its arguments before a database is opened, and returns the text to print. */
type Action = (args: readonly string[], context: CommandContext) => (db: Database) => Promise<string>

const actions: Record<string, Action> = { list, show, archive, unarchive, rename, due, delete: deleteProject }

export async function projects(context: CommandContext): Promise<void> {
  const [first = 'list'] = context.args
  const isList = first.startsWith('-')
  const name = isList ? 'list' : first
  const action = Object.hasOwn(actions, name) ? actions[name]! : undefined
  if (!action) {
    throw new UsageError(
      `unknown command "projects ${name}"${suggestCommand(name, Object.keys(actions))}\n\n${projectsUsage}`,
    )
  }
  const run = action(context.args.slice(isList ? 0 : 1), context)
  await withDatabase(context, async (db) => {
    await retryUntilAvailable(context, () => prepareSchema(context, db))
    context.print(await run(db))
  })
}
