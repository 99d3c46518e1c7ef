// workgate grants: prints the SQL that creates the service's role, for the owner of the database to run.

import type { CommandContext } from './command-context.ts'
import workgateApiSql from '../../sql/roles/workgate-api.sql'

export async function grants({ print }: CommandContext): Promise<void> {
  print(workgateApiSql.trimEnd())
}
