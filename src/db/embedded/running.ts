// Who serves a folder: PostgreSQL's own postmaster.pid says so.

import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataFolder } from './data-folder.ts'
import { hasProcess, isAlive } from './tied-process.ts'

export class FolderInUse extends Error {
  constructor(folder: DataFolder, pid: number) {
    super(
      `A PostgreSQL (process ${pid}) is already running in DATA_DIR ${folder.path}. ` +
        `Stop the Workgate that it belongs to (or, if that is gone, do kill -INT ${pid}), or set another DATA_DIR.`,
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
    if (!file) return
    if (!(await isServer(file.pid, folder))) return removeIfMisleading(file.pid, folder)
    const patience = file.status === 'stopping' ? patienceMs.stopping : patienceMs.ready
    if (Date.now() - began > patience) throw new FolderInUse(folder, file.pid)
    await sleep(10, undefined, signal && { signal })
  }
}

/** The process id of the server of this folder, once it answers; undefined if there is none. */
export async function readyPostmaster(folder: DataFolder): Promise<number | undefined> {
  for (;;) {
    const file = await readPostmasterFile(folder.pgdata)
    if (!file || file.status === 'stopping' || !(await isServer(file.pid, folder))) return undefined
    if (file.status === 'ready') return file.pid
    await sleep(10)
  }
}

export async function readPostmasterFile(pgdata: string): Promise<{ pid: number; status: string } | undefined> {
  const text = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return ''
    throw error
  })
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return pid > 0 ? { pid, status: lines[7]?.trim() || 'starting' } : undefined
}

// The name is enough; but under an emulator it is another one, and then the socket tells.
async function isServer(pid: number, folder: DataFolder): Promise<boolean> {
  if (!isAlive(pid)) return false
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres')
  return name.trim() === 'postgres' || (await answers(folder.socket))
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => resolve(true)).once('error', () => resolve(false))
    connection.once('connect', () => connection.destroy())
  })
}

// PostgreSQL clears away the lock files of a dead server, but not if its number was given to another process (or
// thread), or if nobody collects the dead one's exit code. Both happen in containers, which could then never start
// again. Left-over backends are found without these files.
async function removeIfMisleading(pid: number, folder: DataFolder): Promise<void> {
  if (!hasProcess(pid)) return
  await rm(`${folder.socket}.lock`, { force: true })
  await rm(join(folder.pgdata, 'postmaster.pid'), { force: true })
}
