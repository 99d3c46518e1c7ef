// workgate migrate: brings the schema of the database to what this version needs.

import { migrate as apply } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import type { Host } from './host.ts'
import { patiently, withDatabase } from './with-database.ts'

export async function migrate(host: Host): Promise<void> {
  await withDatabase(host, async (db) => {
    await patiently(host, () => apply(db, migrations, host.log))
    host.print(`The database has all ${migrations.length} migrations.`)
  })
}
