// Who serves a folder: PostgreSQL's own postmaster.pid says so.

import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataFolder } from './data-folder.ts'
import { claimOf, knock, readPostmasterFile, type PostmasterFile } from './postmaster-file.ts'
import { hasProcess } from './tied-process.ts'

export class FolderInUse extends Error {
  constructor(folder: DataFolder, pid: number, isSure: boolean) {
    super(
      isSure
        ? `A PostgreSQL (process ${pid}) is already running in DATA_DIR ${folder.path}. ` +
            `Stop the Workgate that it belongs to (or, if that is gone, do kill -INT ${pid}), or set another DATA_DIR.`
        : `A PostgreSQL seems to be already running in DATA_DIR ${folder.path}, in another container perhaps. ` +
            'Stop the Workgate that it belongs to, or set another DATA_DIR. ' +
            `If there is none, remove ${folder.pgdata}/postmaster.pid.`,
    )
  }
}

// A server whose service was killed a moment ago has not yet begun to stop; one that stops may have much to write.
const patienceMs = { ready: 3_000, stopping: 60_000 }

/** Waits for a server that is about to end; throws FolderInUse if it is not. */
export async function waitUntilFree(folder: DataFolder, signal?: AbortSignal): Promise<void> {
  const began = Date.now()
  for (;;) {
    const file = await readPostmasterFile(folder.pgdata)
    if (!file) return removeSocketLock(folder)
    const claim = await claimOf(file, folder)
    if (claim === 'does not serve') {
      await refuseCopy(file, folder)
      return removeIfMisleading(file.pid, folder)
    }
    const patience = file.status === 'stopping' ? patienceMs.stopping : patienceMs.ready
    if (Date.now() - began > patience) throw new FolderInUse(folder, file.pid, claim === 'serves')
    await sleep(50, undefined, signal && { signal })
  }
}

/** The process id of the server of this folder, once it answers; undefined if there is none. */
export async function readyPostmaster(folder: DataFolder): Promise<number | undefined> {
  for (;;) {
    const file = await readPostmasterFile(folder.pgdata)
    if (!file || file.status === 'stopping' || (await claimOf(file, folder)) === 'does not serve') return undefined
    if (file.status === 'ready') return file.pid
    await sleep(10)
  }
}

// What was copied file by file from a running server may hold each of them as of another moment, and look whole.
async function refuseCopy(file: PostmasterFile, folder: DataFolder): Promise<void> {
  if (file.pgdata === folder.pgdata) return
  const dataDir = dirname(file.pgdata)
  const original = { ...folder, path: dataDir, pgdata: file.pgdata, socket: join(dataDir, basename(folder.socket)) }
  // Left by a crash, if the original's server was started again since.
  const its = await readPostmasterFile(original.pgdata).catch(() => undefined)
  if (its?.pid !== file.pid || its.started !== file.started) return
  if ((await claimOf(file, original)) === 'does not serve') return
  throw new Error(
    `DATA_DIR ${folder.path} was copied from ${dataDir} while a PostgreSQL (process ${file.pid}) was running there, ` +
      'which makes a copy that cannot be trusted. Remove it, stop the Workgate of the original, and copy again. ' +
      `(A snapshot that the file system took in one moment is good: remove ${folder.pgdata}/postmaster.pid.)`,
  )
}

// PostgreSQL clears away the lock files of a dead server, but not if its number was given to another process (or
// thread), or if nobody collects the dead one's exit code. Both happen in containers, which could then never start
// again. Left-over backends are found without these files.
async function removeIfMisleading(pid: number, folder: DataFolder): Promise<void> {
  if (!hasProcess(pid)) return
  await removeSocketLock(folder)
  await rm(join(folder.pgdata, 'postmaster.pid'), { force: true })
}

async function removeSocketLock(folder: DataFolder): Promise<void> {
  if ((await knock(folder.socket)) !== 'answers') await rm(`${folder.socket}.lock`, { force: true })
}
