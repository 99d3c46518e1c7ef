// workgate grants: prints the SQL that creates the service's role, to be run by the owner of schema workgate.

import type { CommandContext } from './command-context.ts'
import workgateApiSql from '../../sql/roles/workgate-api.sql'

export async function grants({ print }: CommandContext): Promise<void> {
  print(workgateApiSql.trimEnd())
}
