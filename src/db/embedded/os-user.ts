// PostgreSQL refuses to run as root, so when we are root it runs as somebody else.

import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'

export interface OsUser {
  name: string
  /** For `spawn` and `chown`; absent when it is the user we are. */
  ids?: { uid: number; gid: number }
}

export const run = promisify(execFile)

/** The owner of the data folder when we are root, or `nobody` if that is root too; else ourselves. */
export async function serverUser(dataDir: string): Promise<OsUser> {
  if (process.getuid?.() !== 0) return { name: ownName(dataDir) }
  const owner = await stat(dataDir).then(
    (found) => found.uid,
    () => 0,
  )
  if (owner === 0) return userOf('nobody')
  // `id` asked by the user himself answers by way of every directory that the machine knows, not only /etc/passwd.
  const name = await run('id', ['-un'], { uid: owner, cwd: '/' }).catch(() => {
    throw new Error(
      `DATA_DIR ${dataDir} belongs to user ${owner}, who has no name on this machine, which PostgreSQL needs. ` +
        'Give the folder to a user with a name (chown), or set DATABASE_URL.',
    )
  })
  return userOf(name.stdout.trim())
}

/** The first of the folders that the user cannot pass, or an empty string. */
export async function firstImpassable(user: OsUser, folders: string[]): Promise<string> {
  const script = 'for folder; do test -x "$folder" || { echo "$folder"; exit; }; done'
  const { stdout } = await run('/bin/sh', ['-c', script, 'sh', ...folders], { ...user.ids, cwd: '/' })
  return stdout.replace(/\n$/, '')
}

async function userOf(name: string): Promise<OsUser> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (what) => Number((await run('id', [what, name])).stdout)))
  return { name, ids: { uid: uid!, gid: gid! } }
}

function ownName(dataDir: string): string {
  try {
    return userInfo().username
  } catch {
    throw new Error(
      `User ${process.getuid?.()}, who would run PostgreSQL in DATA_DIR ${dataDir}, has no name on this machine, ` +
        'which it needs: add one to /etc/passwd, run as another user, or set DATABASE_URL.',
    )
  }
}
