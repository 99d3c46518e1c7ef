// Opens DATA_DIR, which contains `postgres/` (the data folder of PostgreSQL), `log/` and the Unix socket. It belongs to
// the user who runs PostgreSQL.

import { access, chmod, constants, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { findInaccessibleFolder, runCommand, findServerUser, type OsUser } from './os-user.ts'
import { hasProcess, isAlive } from './child-process.ts'

/** Only part of the name of the socket: no TCP port is opened. */
export const socketPort = 5432

export interface DataFolder {
  path: string
  pgdata: string
  socket: string
  user: OsUser
}

/** Creates the folder if it is missing, and checks that PostgreSQL can use it. */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  if (process.platform === 'win32') {
    throw new Error('The embedded database does not run on Windows: set DATABASE_URL to a PostgreSQL server.')
  }
  // Throws if Deno does not allow signals, before starting a process that needs them.
  hasProcess(1)
  const path = resolve(dataDir)
  const socket = join(path, `.s.PGSQL.${socketPort}`)
  checkSocketLength(path, socket)
  const user = await findServerUser(path)
  try {
    await createFolder(path)
    await checkAccess(path, user)
    await takeOwnership(path, user)
    // Not checked as root, who always has access: Deno would report that root has none.
    if (!user.ids) await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    await removeTemporaryFolders(path)
  } catch (cause) {
    // A system error contains the path and the reason, but not the name of the setting.
    throw isSystemError(cause) ? new Error(`DATA_DIR ${path} cannot be used`, { cause }) : cause
  }
  return { path, pgdata: join(path, 'postgres'), socket, user }
}

// Without `recursive`, which loops forever if creating a folder in an existing one fails with ENOENT, as in /proc.
async function createFolder(path: string): Promise<void> {
  const create = () =>
    mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  await create().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || (await exists(dirname(path)))) throw error
    await createFolder(dirname(path))
    await create()
  })
}

function checkSocketLength(path: string, socket: string): void {
  const maxLength = process.platform === 'darwin' ? 103 : 107
  const length = Buffer.byteLength(socket)
  if (length <= maxLength) return
  throw new Error(
    `DATA_DIR ${path} is too long by ${length - maxLength} bytes: ` +
      `the path of its Unix socket is limited to ${maxLength}. Use a shorter path, such as /var/lib/workgate.`,
  )
}

async function checkAccess(path: string, user: OsUser): Promise<void> {
  const inaccessible = user.ids && (await findInaccessibleFolder(user, withParentFolders(dirname(path)).reverse()))
  if (!inaccessible) return
  throw new Error(
    `PostgreSQL refuses to run as root, and user ${user.name}, who would run it, cannot enter ${inaccessible} to reach ` +
      `DATA_DIR ${path}. Use another folder, such as DATA_DIR=/var/lib/workgate, or run chmod o+x ${inaccessible}.`,
  )
}

async function takeOwnership(path: string, user: OsUser): Promise<void> {
  const found = await stat(path)
  if (!found.isDirectory())
    throw new Error(`DATA_DIR ${path} is not a folder. Use a folder, or a path that does not exist yet.`)
  const { uid, mode } = found
  const owner = user.ids?.uid ?? process.getuid?.()
  const isForeign = uid !== owner
  if (isForeign && !user.ids) {
    throw new Error(
      `DATA_DIR ${path} belongs to user ${uid}, not to ${user.name}, who runs Workgate. ` +
        'Run Workgate as that user, or use a folder of your own (it is created if missing).',
    )
  }
  if (!isForeign && (mode & 0o077) === 0) return
  await refuseForeignFiles(path)
  if (isForeign && user.ids) await runCommand('chown', ['-hR', `${user.ids.uid}:${user.ids.gid}`, path])
  await chmod(path, 0o700)
}

// A mistake such as DATA_DIR=/var/lib must not change the owner and mode of unrelated files.
async function refuseForeignFiles(path: string): Promise<void> {
  const names = await readdir(path)
  const foreignFile = names.find((name) => name !== 'lost+found')
  if (foreignFile === undefined || names.includes('postgres')) return
  throw new Error(
    `DATA_DIR ${path} contains other files (${foreignFile}). Use an empty folder, or one that does not exist.`,
  )
}

/** Returns the folder and all its parents. */
export function withParentFolders(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...withParentFolders(above)]
}

/**
 * Returns the path where `folder` is built before it is renamed: a crash leaves no incomplete folder under the final
 * name.
 */
export function temporaryPath(folder: string): string {
  return `${folder}.new-${process.pid}`
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}

function isSystemError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined
}

async function removeTemporaryFolders(path: string): Promise<void> {
  for (const name of await readdir(path)) {
    const pid = Number(/\.new-(\d+)$/.exec(name)?.[1])
    // If it is the pid of this process, an earlier run created the folder: in a container, the service has the same pid
    // every time.
    if (!pid || (pid !== process.pid && isAlive(pid))) continue
    // An initdb whose service was killed may still be writing. It fails once its folder is removed.
    await rm(join(path, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
