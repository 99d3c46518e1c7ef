// Finds the user who runs PostgreSQL, and runs programs as that user. PostgreSQL refuses to run as root, so root runs it
// as another user.

import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'

export interface OsUser {
  name: string
  /** For `spawn` and `chown`; absent for the current user. */
  ids?: Ids
}

export interface Ids {
  uid: number
  gid: number
}

/**
 * For programs that run as another user. The environment of the service is not passed on: it contains secrets, and any
 * process of that user can read it. PG* variables would affect PostgreSQL.
 */
export const childEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export const runCommand = promisify(execFile)

/** Runs a program and returns its output. Supplementary groups are not inherited: Node and Deno clear them. */
export async function runAs(user: OsUser, program: string, args: string[], timeoutMs = 0): Promise<string> {
  const options = { ...user.ids, cwd: '/', env: childEnvironment, timeout: timeoutMs }
  const { stdout } = await runCommand(program, args, options).catch((cause: Failure) => {
    // The message of the cause repeats the whole command.
    const isTimeout = cause.killed && cause.code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
    const reason = isTimeout ? `${program} ${args.join(' ')}: no result after ${timeoutMs} ms` : cause.stderr?.trim()
    throw reason ? Object.assign(new Error(reason, { cause }), { code: cause.code }) : cause
  })
  return stdout
}

type Failure = Error & { stderr?: string; code?: unknown; killed?: boolean }

export function currentUser(dataDir: string): OsUser {
  try {
    return { name: userInfo().username }
  } catch {
    throw new Error(
      `User ${process.getuid?.()}, who would run PostgreSQL in DATA_DIR ${dataDir}, has no name on this machine, but PostgreSQL ` +
        'requires a name: add the user to /etc/passwd, run Workgate as another user, or set DATABASE_URL.',
    )
  }
}

/** The user of a new folder. A user of its own shares no files or processes with other services. */
export async function dedicatedUser(): Promise<OsUser> {
  return lookUpUser('workgate').catch(() => lookUpUser('nobody'))
}

export async function findUser({ uid, gid }: Ids, dataDir: string): Promise<OsUser> {
  // When run by that user, `id` searches every directory service of the machine, not only /etc/passwd.
  const name = await runAs({ name: `user ${uid}`, ids: { uid, gid } }, 'id', ['-un']).catch(() => {
    throw new Error(
      `DATA_DIR ${dataDir} belongs to user ${uid}, who has no name on this machine, but PostgreSQL requires a name. ` +
        'Give the folder to a user with a name (chown), or set DATABASE_URL.',
    )
  })
  return lookUpUser(name.trim())
}

async function lookUpUser(name: string): Promise<OsUser> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number((await runCommand('id', [option, name])).stdout)),
  )
  return { name, ids: { uid: uid!, gid: gid! } }
}

/** Returns the first folder that the user cannot enter, or an empty string. */
export async function findInaccessibleFolder(user: OsUser, folders: string[]): Promise<string> {
  const script = 'for folder; do test -x "$folder" || { echo "$folder"; exit; }; done'
  return (await runAs(user, '/bin/sh', ['-c', script, 'sh', ...folders])).replace(/\n$/, '')
}
