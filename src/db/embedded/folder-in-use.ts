// Checks whether another server uses a data folder, according to PostgreSQL's own postmaster.pid.

import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../runtime/log.ts'
import { findCommandsPipe } from './commands-pipe.ts'
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

/** The service or command that starts a server. */
export interface Starter {
  isService: boolean
  log: Log
  /** Ends the wait of a service for a command. */
  cancelled?: AbortSignal
}

/** The service was stopped while it waited for a command. */
export class StartCancelled extends Error {}

// A server whose service was just killed may not be stopping yet. A stopping server may have much to write.
const maxWaitMs = { ready: 3_000, stopping: 60_000 }
const pollMs = 50

/**
 * Waits for a server that is about to exit. A service also waits for the server of a command, however long that takes; a
 * command would rather use it. Throws FolderInUse if the server keeps running.
 */
export async function waitUntilFree(folder: DataFolder, starter: Starter, signal?: AbortSignal): Promise<void> {
  const { isService, log, cancelled } = starter
  let waited: { pid: number; isStopping: boolean; since: number } | undefined
  let isReported = false
  for (;;) {
    const file = await readPostmasterFile(folder)
    if (!file) return removeSocketLock(folder)
    const serving = await checkServing(file, folder)
    if (serving === 'not serving') {
      await refuseCopy(file, folder)
      return removeStaleLockFiles(file.pid, folder)
    }
    const { pid } = file
    const isStopping = file.status === 'stopping'
    if (waited?.pid !== pid || waited.isStopping !== isStopping) waited = { pid, isStopping, since: Date.now() }
    if (!isStopping && isService && (await findCommandsPipe(folder)) !== undefined) {
      if (!isReported) log.warn('waiting for a command that uses the embedded database', { postgres_pid: pid })
      isReported = true
      if (cancelled?.aborted) throw new StartCancelled('the service was stopped')
    } else {
      const waitMs = isStopping ? maxWaitMs.stopping : isService ? maxWaitMs.ready : 0
      if (Date.now() - waited.since > waitMs) throw new FolderInUse(folder, pid, serving === 'serving')
    }
    await sleep(pollMs, undefined, signal && { signal })
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
