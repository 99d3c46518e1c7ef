// Finds the user who runs PostgreSQL. PostgreSQL refuses to run as root, so root runs it as another user.

import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'

export interface OsUser {
  name: string
  /** For `spawn` and `chown`; absent for the current user. */
  ids?: { uid: number; gid: number }
}

export const runCommand = promisify(execFile)

/** Returns the current user. As root, returns the owner of the data folder, or the user `nobody` if root owns it. */
export async function findServerUser(dataDir: string): Promise<OsUser> {
  if (process.getuid?.() !== 0) return { name: currentUserName(dataDir) }
  const owner = await stat(dataDir).then(
    (found) => found.uid,
    () => 0,
  )
  if (owner === 0) return lookUpUser('nobody')
  // When run by that user, `id` searches every directory service of the machine, not only /etc/passwd.
  const name = await runCommand('id', ['-un'], { uid: owner, cwd: '/' }).catch(() => {
    throw new Error(
      `DATA_DIR ${dataDir} belongs to user ${owner}, who has no name on this machine, but PostgreSQL requires a name. ` +
        'Give the folder to a user with a name (chown), or set DATABASE_URL.',
    )
  })
  return lookUpUser(name.stdout.trim())
}

/** Returns the first folder that the user cannot enter, or an empty string. */
export async function findInaccessibleFolder(user: OsUser, folders: string[]): Promise<string> {
  const script = 'for folder; do test -x "$folder" || { echo "$folder"; exit; }; done'
  const { stdout } = await runCommand('/bin/sh', ['-c', script, 'sh', ...folders], { ...user.ids, cwd: '/' })
  return stdout.replace(/\n$/, '')
}

async function lookUpUser(name: string): Promise<OsUser> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number((await runCommand('id', [option, name])).stdout)),
  )
  return { name, ids: { uid: uid!, gid: gid! } }
}

function currentUserName(dataDir: string): string {
  try {
    return userInfo().username
  } catch {
    throw new Error(
      `User ${process.getuid?.()}, who would run PostgreSQL in DATA_DIR ${dataDir}, has no name on this machine, but PostgreSQL ` +
        'requires a name: add the user to /etc/passwd, run Workgate as another user, or set DATABASE_URL.',
    )
  }
}
