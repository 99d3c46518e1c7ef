// Gives each service its own embedded database: a copy of a data folder that the program created once. The service runs
// PostgreSQL itself, as it does without DATABASE_URL.

import { execFile } from 'node:child_process'
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Creates the data folder with the schema and no rows. It need not survive a crash of the machine. */
export async function makeOwnTemplate([program, ...args]: readonly string[], dataDir: string): Promise<void> {
  // A container mounts the folder, so it must exist.
  await mkdir(dataDir)
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  await execute(program!, [...args, 'migrate'], { env })
  await appendFile(join(dataDir, 'postgres', 'postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\n')
}

/** Copies the template into an empty folder. */
export async function copyDataFolder(template: string, folder: string): Promise<void> {
  const { uid, gid } = await stat(template)
  await chown(folder, uid, gid)
  await chmod(folder, 0o700)
  for (const name of await readdir(template)) {
    // The programs are large and never written to, so hard links suffice.
    const how = name.startsWith('binaries-') ? '-al' : '-a'
    await execute('cp', [how, join(template, name), folder])
  }
}

/** For each URL, true if a service was already given the folder. */
const given = new Map<string, boolean>()

/** Copies the template. The URL works only while a service runs the database. */
export async function copyOwnDatabase(template: string) {
  const parent = await mkdtemp(join(tmpdir(), 'workgate-own-'))
  const folder = join(parent, 'data')
  // mkdtemp gives access to the current user only, but the user that runs PostgreSQL must be able to enter the folder.
  await chmod(parent, 0o755)
  await mkdir(folder)
  await copyDataFolder(template, folder)
  const url = `postgres://workgate@localhost/workgate?host=${folder}`
  given.set(url, false)
  return {
    url,
    remove: () => rm(parent, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  }
}

/** Returns the data folder for the first service at the URL; other services connect to the URL itself. */
export function asOwnService(url: string): Record<string, string> | undefined {
  if (given.get(url) !== false) return undefined
  given.set(url, true)
  return { DATA_DIR: new URL(url).searchParams.get('host')! }
}
