// An embedded database for each service: a copy of the data folder that was filled for all, in which the service runs
// PostgreSQL itself, as it does without DATABASE_URL.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '../../src/db/database.ts'
import { serveEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { quiet } from './log.ts'

const execute = promisify(execFile)

/** Makes the folder with the schema and nothing in it, which will not outlive the machine. */
export async function makeOwnTemplate(dataDir: string): Promise<void> {
  const options = { memoryMb: 256, binaryRoots: [process.cwd()], path: process.env['PATH'] ?? '', log: quiet }
  const embedded = await serveEmbedded({ ...options, dataDir })
  const target = { socket: embedded.host, user: embedded.user, database: embedded.database }
  const db = openDatabase({ target, poolSize: 1, statementTimeoutMs: 10_000 })
  await migrate(db, migrations, quiet)
  await db.session((session) => session.script('alter system set fsync = off'))
  await db.close()
  await embedded.stop()
}

/** Of each address, whether a service has been given the folder. */
const given = new Map<string, boolean>()

/** Its address, which is none before a service runs it. */
export async function copyOwnDatabase(template: string) {
  const above = await mkdtemp(join(tmpdir(), 'workgate-own-'))
  const folder = join(above, 'data')
  // Its user has to pass the folder that mkdtemp made for us alone.
  await execute('chmod', ['755', above])
  await execute('cp', ['-a', template, folder])
  const url = `postgres://workgate@localhost/workgate?host=${folder}`
  given.set(url, false)
  return {
    url,
    remove: () => rm(above, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  }
}

/** For the first service that asks, the folder itself; for others, and elsewhere, the server that runs. */
export function asOwnService(url: string): Record<string, string> | undefined {
  if (given.get(url) !== false) return undefined
  given.set(url, true)
  return { DATA_DIR: new URL(url).searchParams.get('host')! }
}
