// workgate migrate: applies the pending migrations.

import { migrate as applyMigrations } from '../db/schema/migrate.ts'
import { migrations } from '../db/schema/migrations.ts'
import type { CommandContext } from './command-context.ts'
import { retryUntilAvailable, withNewDatabase } from './with-database.ts'

export async function migrate(context: CommandContext): Promise<void> {
  await withNewDatabase(context, async (db) => {
    await retryUntilAvailable(context, () => applyMigrations(db, migrations, context.log, context.progress))
    context.print(`All ${migrations.length} migrations are applied.`)
  })
}
