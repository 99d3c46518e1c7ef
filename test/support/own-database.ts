// An embedded database for each service: a copy of the data folder that the program has filled once, in which the service
// runs PostgreSQL itself, as it does without DATABASE_URL.

import { execFile } from 'node:child_process'
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Makes the folder with the schema and nothing in it, which will not outlive the machine. */
export async function makeOwnTemplate([program, ...args]: readonly string[], dataDir: string): Promise<void> {
  // A container is given what is there.
  await mkdir(dataDir)
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  await execute(program!, [...args, 'migrate'], { env })
  await appendFile(join(dataDir, 'postgres', 'postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\n')
}

/** Into an empty folder. */
export async function copyDataFolder(template: string, folder: string): Promise<void> {
  const { uid, gid } = await stat(template)
  await chown(folder, uid, gid)
  await chmod(folder, 0o700)
  for (const name of await readdir(template)) {
    // Programs are not written to, and large.
    const how = name.startsWith('binaries-') ? '-al' : '-a'
    await execute('cp', [how, join(template, name), folder])
  }
}

/** Of each address, whether a service has been given the folder. */
const given = new Map<string, boolean>()

/** Its address, which is none before a service runs it. */
export async function copyOwnDatabase(template: string) {
  const above = await mkdtemp(join(tmpdir(), 'workgate-own-'))
  const folder = join(above, 'data')
  // Its user has to pass the folder that mkdtemp made for us alone.
  await chmod(above, 0o755)
  await mkdir(folder)
  await copyDataFolder(template, folder)
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
