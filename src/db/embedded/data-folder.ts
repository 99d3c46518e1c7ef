// DATA_DIR: `postgres/` (PostgreSQL's own), `log/`, the unix socket. It belongs to the user who runs PostgreSQL.

import { access, chmod, constants, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { firstImpassable, run, serverUser, type OsUser } from './os-user.ts'
import { hasProcess, isAlive } from './tied-process.ts'

/** No TCP port is opened; the number is part of the socket's name. */
export const socketPort = 5432

export interface DataFolder {
  path: string
  pgdata: string
  socket: string
  user: OsUser
}

/** Makes the folder, or takes an existing one; checks that PostgreSQL will be able to live in it. */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  if (process.platform === 'win32') {
    throw new Error('The embedded database does not run on Windows: set DATABASE_URL to a PostgreSQL server.')
  }
  // Throws where Deno does not let us send signals, before there is anything that has to be ended.
  hasProcess(1)
  const path = resolve(dataDir)
  const socket = join(path, `.s.PGSQL.${socketPort}`)
  checkSocketLength(path, socket)
  const user = await serverUser(path)
  try {
    await makeFolder(path)
    await checkPassable(path, user)
    await own(path, user)
    // Root may do anything, but Deno thinks it may not.
    if (!user.ids) await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    await removeHalfMade(path)
  } catch (cause) {
    // The system names a path and a reason, but not the setting.
    throw isOfSystem(cause) ? new Error(`DATA_DIR ${path} cannot be used`, { cause }) : cause
  }
  return { path, pgdata: join(path, 'postgres'), socket, user }
}

// Not by `recursive`: that tries for ever where the system says "no such file" beneath a folder that is there (/proc).
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || (await exists(dirname(path)))) throw error
    await makeFolder(dirname(path))
    await make()
  })
}

function checkSocketLength(path: string, socket: string): void {
  const limit = process.platform === 'darwin' ? 103 : 107
  const length = Buffer.byteLength(socket)
  if (length <= limit) return
  throw new Error(
    `DATA_DIR ${path} is too long by ${length - limit} bytes: ` +
      `the path of its unix socket may have ${limit}. Name a shorter one, such as /var/lib/workgate.`,
  )
}

async function checkPassable(path: string, user: OsUser): Promise<void> {
  const closed = user.ids && (await firstImpassable(user, foldersAbove(dirname(path)).reverse()))
  if (!closed) return
  throw new Error(
    `PostgreSQL does not run as root, and user ${user.name}, as whom it would run, cannot pass ${closed} ` +
      `to reach DATA_DIR ${path}. Use a folder elsewhere, such as DATA_DIR=/var/lib/workgate, or chmod o+x ${closed}.`,
  )
}

async function own(path: string, user: OsUser): Promise<void> {
  const found = await stat(path)
  if (!found.isDirectory()) throw new Error(`DATA_DIR ${path} is not a folder. Name one, or what does not exist yet.`)
  const { uid, mode } = found
  const owner = user.ids?.uid ?? process.getuid?.()
  const foreign = uid !== owner
  if (foreign && !user.ids) {
    throw new Error(
      `DATA_DIR ${path} belongs to user ${uid}, not to ${user.name}, who runs this. ` +
        'Run it as that user, or name a folder of your own (it is made if missing).',
    )
  }
  if (!foreign && (mode & 0o077) === 0) return
  await refuseOthersFiles(path)
  if (foreign && user.ids) await run('chown', ['-hR', `${user.ids.uid}:${user.ids.gid}`, path])
  await chmod(path, 0o700)
}

// A slip such as DATA_DIR=/var/lib must not change the owner and mode of what is not ours.
async function refuseOthersFiles(path: string): Promise<void> {
  const names = await readdir(path)
  const other = names.find((name) => name !== 'lost+found')
  if (other === undefined || names.includes('postgres')) return
  throw new Error(`DATA_DIR ${path} holds other things (${other}). Name an empty folder, or one that does not exist.`)
}

/** The folder itself and those above it. */
export function foldersAbove(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersAbove(above)]
}

/** The name under which `folder` is filled before it is renamed: whatever is killed in between leaves nothing half-made. */
export function temporaryName(folder: string): string {
  return `${folder}.new-${process.pid}`
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}

function isOfSystem(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined
}

async function removeHalfMade(path: string): Promise<void> {
  for (const name of await readdir(path)) {
    const pid = Number(/\.new-(\d+)$/.exec(name)?.[1])
    // One of our own number is left from an earlier life: in a container every process has the same one.
    if (!pid || (pid !== process.pid && isAlive(pid))) continue
    // An initdb whose service was killed may be writing still; it ends when what it writes to is gone.
    await rm(join(path, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
