// Compacts the tallies of a project. workgate.compact_tallies() does nothing while the service is compacting them, so
// this waits for the service first. The next request reads the compacted tallies: no figure has changed, so it would get a
// cached response.

import { inPlaceOf } from './places.ts'
import type { Sql } from './workgate.ts'

export async function compactTallies(sql: Sql, project: string): Promise<void> {
  await inPlaceOf(
    sql,
    project,
    `select workgate.lock_compaction('${project}')`,
    `select workgate.compact_tallies('${project}')`,
    `select workgate.mark_scope('${project}')`,
  )
}
