// workgate grants: prints the SQL that makes the role for the service. Whoever owns the database reads it and runs it.

import type { Host } from './host.ts'
import workgateApiSql from '../../sql/roles/workgate-api.sql'

export async function grants({ print }: Host): Promise<void> {
  print(workgateApiSql.trimEnd())
}
