// Checks whether another server uses a data folder, according to PostgreSQL's own postmaster.pid.

import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataFolder } from './data-folder.ts'
import { checkServing, probeSocket, readPostmasterFile, type PostmasterFile } from './postmaster-file.ts'
import { hasProcess } from './child-process.ts'
import { remove } from './user-files.ts'

export class FolderInUse extends Error {
  constructor(folder: DataFolder, pid: number, isCertain: boolean) {
    super(
      isCertain
        ? `PostgreSQL (process ${pid}) is already running in DATA_DIR ${folder.path}. ` +
            `Stop the Workgate that started it (or, if that has ended, run kill -INT ${pid}), or set another DATA_DIR.`
        : `PostgreSQL appears to be running already in DATA_DIR ${folder.path}, perhaps in another container. ` +
            'Stop the Workgate that started it, or set another DATA_DIR. ' +
            `If it is not running, remove ${folder.pgdata}/postmaster.pid.`,
    )
  }
}

// A server whose service was just killed may not be stopping yet. A stopping server may have much to write.
const maxWaitMs = { ready: 3_000, stopping: 60_000 }

/** Waits for a server that is about to exit. Throws FolderInUse if the server keeps running. */
export async function waitUntilFree(folder: DataFolder, signal?: AbortSignal): Promise<void> {
  const startedAt = Date.now()
  for (;;) {
    const file = await readPostmasterFile(folder)
    if (!file) return removeSocketLock(folder)
    const serving = await checkServing(file, folder)
    if (serving === 'not serving') {
      await refuseCopy(file, folder)
      return removeStaleLockFiles(file.pid, folder)
    }
    const waitMs = file.status === 'stopping' ? maxWaitMs.stopping : maxWaitMs.ready
    if (Date.now() - startedAt > waitMs) throw new FolderInUse(folder, file.pid, serving === 'serving')
    await sleep(50, undefined, signal && { signal })
  }
}

/** Returns the pid of the server in the folder once it is ready, or undefined if there is none. */
export async function findReadyPostmaster(folder: DataFolder): Promise<number | undefined> {
  for (;;) {
    const file = await readPostmasterFile(folder)
    if (!file || file.status === 'stopping' || (await checkServing(file, folder)) === 'not serving') return undefined
    if (file.status === 'ready') return file.pid
    await sleep(10)
  }
}

// A copy of a running server contains files from different points in time: it is corrupt, although it may look
// complete.
async function refuseCopy(file: PostmasterFile, folder: DataFolder): Promise<void> {
  if (file.pgdata === folder.pgdata) return
  const dataDir = dirname(file.pgdata)
  const original = { ...folder, path: dataDir, pgdata: file.pgdata, socket: join(dataDir, basename(folder.socket)) }
  // If the original has been restarted since, the file in the copy was left by a crash.
  const originalFile = await readPostmasterFile(original).catch(() => undefined)
  if (originalFile?.pid !== file.pid || originalFile.startedAt !== file.startedAt) return
  if ((await checkServing(file, original)) === 'not serving') return
  throw new Error(
    `DATA_DIR ${folder.path} was copied from ${dataDir} while PostgreSQL (process ${file.pid}) was running there, ` +
      'so the copy may be corrupt. Remove it, stop the Workgate of the original, and copy again. ' +
      `(An atomic snapshot of the file system is consistent: remove ${folder.pgdata}/postmaster.pid to use it.)`,
  )
}

// PostgreSQL removes the lock files of a dead server, but not if another process (or thread) has its pid, or if its
// parent has not collected its exit code. Both happen in containers, where the server could then never start again.
// PostgreSQL detects leftover backends without these files.
async function removeStaleLockFiles(pid: number, folder: DataFolder): Promise<void> {
  if (!hasProcess(pid)) return
  await removeSocketLock(folder)
  await remove(folder.user, join(folder.pgdata, 'postmaster.pid'))
}

async function removeSocketLock(folder: DataFolder): Promise<void> {
  if ((await probeSocket(folder.socket)) !== 'listening') await remove(folder.user, `${folder.socket}.lock`)
}
