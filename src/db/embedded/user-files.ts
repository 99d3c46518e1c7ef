// Reads and changes files in DATA_DIR as the user who runs PostgreSQL. Root does not do it itself, because that user can
// replace any file or folder in DATA_DIR by a link to a file of someone else. Without root, this process is that user.

import { lstat, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAs, type OsUser } from './os-user.ts'

// The file may be a named pipe, which nobody writes to.
const readTimeoutMs = 5_000

/** Returns undefined if there is no such file. PostgreSQL's files appear and disappear while it starts and stops. */
export async function readText(user: OsUser, path: string, timeoutMs = readTimeoutMs): Promise<string | undefined> {
  if (!user.ids) {
    return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (isMissingError(error)) return undefined
      throw error
    })
  }
  const readIfPresent = async () => ((await isMissing(path)) ? undefined : runAs(user, 'cat', [path], timeoutMs))
  // After a failure the file may be missing, or already exist again.
  return readIfPresent().catch(readIfPresent)
}

/** Replaces files in the folder: a crash leaves each of them complete. */
export async function replaceFiles(user: OsUser, folder: string, files: Record<string, string>): Promise<void> {
  const script = `
    umask 077 && cd "$1" && shift || exit
    while [ "$#" -gt 0 ]; do
      printf %s "$2" | cat >"$1.new-$$" && mv -f "$1.new-$$" "$1" || exit
      shift 2
    done`
  await runAs(user, '/bin/sh', ['-c', script, 'sh', folder, ...Object.entries(files).flat()])
}

/** Fails with EEXIST, ENOTEMPTY or ENOTDIR if the target exists. Survives a power failure. */
export async function moveFolder(user: OsUser, from: string, to: string): Promise<void> {
  if (user.ids) return moveFolderAs(user, from, to)
  await rename(from, to)
  const parent = await open(dirname(to))
  await parent.sync().finally(() => parent.close())
}

// Like rename(), replaces an empty folder. `mv` moves the folder into the target if another process has just created
// that; 17 is EEXIST.
async function moveFolderAs(user: OsUser, from: string, to: string): Promise<void> {
  const script = `
    rmdir "$2" 2>/dev/null
    [ ! -e "$2" ] && [ ! -L "$2" ] || exit 17
    mv "$1" "$2" || exit 1
    [ ! -e "$2/\${1##*/}" ] || { rm -rf "$2/\${1##*/}"; exit 17; }
    sync`
  await runAs(user, '/bin/sh', ['-c', script, 'sh', from, to]).catch((error: { code?: unknown }) => {
    throw error.code === 17 ? Object.assign(new Error(`${to} exists`), { code: 'EEXIST' }) : error
  })
}

const maxAttempts = 20
const retryDelayMs = 50

/** Removes a file or a folder, if it exists. Retries, because another process may still write to the folder. */
export async function remove(user: OsUser, path: string): Promise<void> {
  if (!user.ids) return rm(path, { recursive: true, force: true, maxRetries: maxAttempts, retryDelay: retryDelayMs })
  for (let attempt = 1; attempt <= maxAttempts && !(await isMissing(path)); attempt++) {
    await runAs(user, 'rm', ['-rf', path]).catch((error: Error) => {
      if (attempt === maxAttempts || isDenied(error)) throw error
    })
    await sleep(attempt === 1 ? 0 : retryDelayMs)
  }
}

/**
 * Returns the path where `path` is built before it is renamed: a crash leaves nothing incomplete under the final name.
 */
export function temporaryPath(path: string): string {
  return `${path}.new-${process.pid}`
}

/** Does not follow a link in the last part of the path, and reads only metadata. */
export async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(() => false, isMissingError)
}

// As `rm` reports it. Files of other users cannot be removed later either.
function isDenied({ message }: Error): boolean {
  return /Permission denied|Operation not permitted/.test(message)
}

function isMissingError({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR'
}
