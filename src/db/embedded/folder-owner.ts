// Decides, for root, who owns DATA_DIR, and gives a folder of root to the user of PostgreSQL. Root changes files itself
// only while nobody else can replace a part of their path. Otherwise, a process of the owner does it.

import { chmod, lchown, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dedicatedUser, findUser, runAs, type Ids, type OsUser } from './os-user.ts'

/** Call this as root. `isRoots`: the folder is missing or belongs to root, and only root can replace it. */
export async function findOwner(path: string): Promise<{ user: OsUser; isRoots: boolean }> {
  const owner = await findExistingOwner(path)
  if (owner) return { user: await findUser(owner, path), isRoots: false }
  const control = await findForeignControl(path)
  if (!control) return { user: await findNewUser(path), isRoots: true }
  if (control.ids && !(await statOf(lstat, path))) return { user: await findUser(control.ids, path), isRoots: false }
  // Another start may have given the folder away in the meantime.
  const newOwner = await findExistingOwner(path)
  if (newOwner) return { user: await findUser(newOwner, path), isRoots: false }
  throw new Error(
    `DATA_DIR ${path} cannot be given to the user of PostgreSQL safely, because ${describeControl(control)}. ` +
      'Use a folder below folders that only root can change, such as /var/lib/workgate, ' +
      `or create the folder and give it to its user yourself (chown -hR USER: ${path}).`,
  )
}

async function findExistingOwner(path: string): Promise<Ids | undefined> {
  const entry = await statOf(lstat, path)
  const target = entry?.isSymbolicLink() ? await statOf(stat, path) : entry
  if (entry && entry.uid !== 0 && entry.uid !== target?.uid) {
    throw new Error(
      `DATA_DIR ${path} is a symbolic link that user ${entry.uid} created, to something that this user does not own. ` +
        'Set DATA_DIR to the folder itself.',
    )
  }
  return target && target.uid !== 0 ? { uid: target.uid, gid: target.gid } : undefined
}

// A folder of root may contain a database of another user, for example if only the folder itself was created again.
async function findNewUser(path: string): Promise<OsUser> {
  const database = await statOf(lstat, join(path, 'postgres'))
  return database && database.uid !== 0 ? findUser(database, path) : dedicatedUser()
}

export interface Control {
  path: string
  /** Absent if several users can change the folder. */
  ids?: Ids
}

export function describeControl({ path, ids }: Control): string {
  return `${ids ? `user ${ids.uid}` : 'other users'} can change ${path}`
}

/** Resolves the path like the kernel. Returns the first part of it that someone other than root can change. */
export async function findForeignControl(path: string): Promise<Control | undefined> {
  const names = ['', ...path.split('/').filter(Boolean)]
  let folder = '/'
  let isSticky = false
  for (let links = 0; names.length > 0;) {
    const current = join(folder, names.shift()!)
    const entry = await describe(current)
    // Others could create a missing parent as a link, before root does.
    if (!entry) return isSticky && names.length > 0 ? { path: folder } : undefined
    if (entry.uid !== 0) return { path: current, ids: entry }
    if (entry.type === 'l') {
      if (++links > 40) throw new Error(`The path ${path} contains too many symbolic links.`)
      const target = (await runAs({ name: 'root' }, 'readlink', [current])).replace(/\n$/, '')
      if (target.startsWith('/')) [folder, isSticky] = ['/', false]
      names.unshift(...target.split('/').filter(Boolean))
      continue
    }
    if (entry.isWritable && !entry.isSticky && names.length > 0) return { path: current }
    folder = current
    isSticky = entry.isWritable
  }
  return undefined
}

// `ls`, because Deno allows reading only DATA_DIR itself. The group bits are also set if an ACL allows writing. In a
// sticky folder, such as /tmp, others can create files, but cannot replace those of root.
async function describe(path: string) {
  const script = '[ ! -e "$1" ] && [ ! -L "$1" ] || exec ls -ldn "$1"'
  const line = await runAs({ name: 'root' }, '/bin/sh', ['-c', script, 'sh', path])
  if (line === '') return undefined
  const [, type, mode, uid, gid] = /^(.)(.{9})\S*\s+\d+\s+(\d+)\s+(\d+)\s/.exec(line)!
  const isWritable = mode![7] === 'w' || (mode![4] === 'w' && gid !== '0')
  return { type: type!, isWritable, isSticky: /[tT]$/.test(mode!), uid: Number(uid), gid: Number(gid) }
}

/**
 * Gives a folder of root, and everything of root in it, to the user. It may contain a restored database. Files in folders
 * of other users are not changed: their owners can replace them at any time, also by hard links to files elsewhere.
 */
export async function giveFolder(path: string, { ids }: OsUser): Promise<void> {
  // Follows DATA_DIR itself if it is a link. Nobody else can enter the folder until it is given away, after its contents.
  const folder = `${path}/.`
  const { dev, mode } = await lstat(folder)
  if (mode & 0o022 && (await readdir(folder)).length > 0) throw new Error(describeWritable(path))
  await chmod(folder, 0o700)
  for (const entry of await listFilesOfRoot(folder, dev)) await lchown(entry, ids!.uid, ids!.gid)
}

/** Lists contents before their folder. Skips the folders of other users, and other file systems. */
async function listFilesOfRoot(path: string, device: number): Promise<string[]> {
  const found = await lstat(path)
  if (found.uid !== 0 || found.dev !== device) return []
  const entries: string[] = []
  if (found.isDirectory()) {
    if (found.mode & 0o022) throw new Error(describeWritable(path))
    for (const name of await readdir(path)) {
      // Belongs to the file system.
      if (name === 'lost+found') continue
      // Without the spread of `push(...)`, which is limited to about 120,000 arguments.
      for (const entry of await listFilesOfRoot(join(path, name), device)) entries.push(entry)
    }
  } else if (found.nlink > 1) throw new Error(`${path} is also a file elsewhere (a hard link). ${adviceFor(path)}`)
  return [...entries, path]
}

const describeWritable = (path: string) => `Users other than root can write to ${path}. ${adviceFor(path)}`
const adviceFor = (path: string) => `Check ${path}, and give it to the user of PostgreSQL yourself (chown -h).`

async function statOf(read: typeof lstat | typeof stat, path: string) {
  return read(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}
