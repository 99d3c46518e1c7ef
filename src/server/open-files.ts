// Limits the connections of a process to the number of files that it may open. Beyond that number, the operating system
// would accept connections, but the service could not, and no idle connection would be closed for a new one.

import type { Config } from '../config/config.ts'
import { freshnessConnections } from '../db/database.ts'
import type { Log } from '../runtime/log.ts'
import { openFileLimit } from '../runtime/metrics/process.ts'

/** Libraries, the log, and files that are open briefly. */
const otherFiles = 100

/** The number of files that a process needs for everything but client connections. */
export const reservedFiles = ({ DATABASE_POOL }: Pick<Config, 'DATABASE_POOL'>): number =>
  DATABASE_POOL + freshnessConnections + otherFiles

export async function limitConnections(config: Config, log: Log): Promise<number> {
  const { MAX_CONNECTIONS } = config
  const maxFiles = (await openFileLimit()) ?? Infinity
  const possible = Math.max(1, maxFiles - reservedFiles(config))
  if (MAX_CONNECTIONS <= possible) return MAX_CONNECTIONS
  log.warn('the limit of open files lowers MAX_CONNECTIONS', { maxFiles, maxConnections: possible })
  return possible
}
