// Opens DATA_DIR, which contains `postgres/` (the data folder of PostgreSQL), `log/` and the Unix socket. It belongs to
// the user who runs PostgreSQL.

import { access, chmod, constants, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { findOwner, giveFolder } from './folder-owner.ts'
import { currentUser, findInaccessibleFolder, runAs, type OsUser } from './os-user.ts'
import type { Log } from '../../runtime/log.ts'
import { hasProcess, isAlive } from './child-process.ts'
import { isMissing, remove } from './user-files.ts'

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
  checkCharacters(path)
  checkSocketLength(path, socket)
  try {
    const user = process.getuid?.() === 0 ? await openAsRoot(path) : await openAsCurrentUser(path)
    return { path, pgdata: join(path, 'postgres'), socket, user }
  } catch (cause) {
    // A system error contains the path and the reason, but not the name of the setting.
    throw (cause as NodeJS.ErrnoException).syscall ? new Error(`DATA_DIR ${path} cannot be used`, { cause }) : cause
  }
}

async function openAsRoot(path: string): Promise<OsUser> {
  let owner = await findOwner(path)
  if (await isMissing(path)) {
    if (owner.isRoots) await createFolder(path)
    else await runAs(owner.user, 'mkdir', ['-p', '-m', '700', path])
    // Another user may have created it at the same time.
    owner = await findOwner(path)
  }
  const { user, isRoots } = owner
  await checkAccess(path, user)
  const { mode } = await statFolder(path)
  if (isRoots || mode & 0o077) await refuseForeignFiles(path)
  if (isRoots) await giveFolder(path, user)
  else if (mode & 0o077) await runAs(user, 'chmod', ['700', path])
  return user
}

async function openAsCurrentUser(path: string): Promise<OsUser> {
  const user = currentUser(path)
  await createFolder(path)
  const { uid, mode } = await statFolder(path)
  if (uid !== process.getuid?.()) {
    throw new Error(
      `DATA_DIR ${path} belongs to user ${uid}, not to ${user.name}, who runs Workgate. ` +
        'Run Workgate as that user, or use a folder of your own (it is created if missing).',
    )
  }
  if (mode & 0o077) {
    await refuseForeignFiles(path)
    await chmod(path, 0o700)
  }
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  return user
}

// Without `recursive`, which loops forever if creating a folder in an existing one fails with ENOENT, as in /proc.
async function createFolder(path: string, mode = 0o700): Promise<void> {
  const create = () =>
    mkdir(path, mode).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  await create().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    // Another start may have created the parent in the meantime.
    if (await isMissing(dirname(path))) await createFolder(dirname(path), 0o755)
    await create()
  })
}

// A line of PostgreSQL's configuration cannot contain a line break.
function checkCharacters(path: string): void {
  if (!/\p{Cc}/u.test(path)) return
  throw new Error(`DATA_DIR ${JSON.stringify(path)} contains a control character. Use a path without one.`)
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
  const inaccessible = await findInaccessibleFolder(user, withParentFolders(dirname(path)).reverse())
  if (!inaccessible) return
  throw new Error(
    `PostgreSQL refuses to run as root, and user ${user.name}, who would run it, cannot enter ${inaccessible} to reach ` +
      `DATA_DIR ${path}. Use another folder, such as DATA_DIR=/var/lib/workgate, or run chmod o+x ${inaccessible}.`,
  )
}

async function statFolder(path: string) {
  const found = await stat(path)
  if (found.isDirectory()) return found
  throw new Error(`DATA_DIR ${path} is not a folder. Use a folder, or a path that does not exist yet.`)
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

/** Removes what killed processes left unfinished. */
export async function removeTemporaryFolders({ path, user }: DataFolder, log: Log): Promise<void> {
  for (const name of await readdir(path)) {
    const pid = Number(/\.new-(\d+)$/.exec(name)?.[1])
    // If it is the pid of this process, an earlier run created the folder: in a container, the service has the same pid
    // every time.
    if (!pid || (pid !== process.pid && isAlive(pid))) continue
    // An initdb whose service was killed may still be writing. It fails once its folder is removed.
    const leftover = join(path, name)
    await remove(user, leftover).catch((error: Error) => {
      log.warn('an unfinished file or folder could not be removed', { path: leftover, problem: error.message })
    })
  }
}
