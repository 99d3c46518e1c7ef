// The database that the service brings along: a real PostgreSQL in DATA_DIR, as a child process.
// Nothing outside this folder knows more than its address.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeOtherCopies } from './binaries-copy.ts'
import { findBinaries, type BinarySearch } from './binaries.ts'
import { prepareCluster } from './cluster.ts'
import { openDataFolder, socketPort, type DataFolder } from './data-folder.ts'
import { createDatabaseIfMissing } from './database.ts'
import { FolderInUse, readyPostmaster, waitUntilFree } from './running.ts'
import { supervise, type Supervised } from './supervise.ts'

export interface EmbeddedOptions extends BinarySearch {
  dataDir: string
  memoryMb: number
}

export interface Embedded extends Supervised {
  /** The folder of the unix socket, which is DATA_DIR. */
  host: string
  port: number
  user: 'workgate'
  database: 'workgate'
}

const createAttempts = 20
const createPauseMs = 250

/** Starts PostgreSQL and keeps it running until `stop`. Throws FolderInUse if somebody else does. */
export async function serveEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const folder = await openDataFolder(options.dataDir)
  await waitUntilFree(folder)
  return start(folder, options)
}

/** For commands: the running server, or one of their own for the time they take. */
export async function borrowEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const folder = await openDataFolder(options.dataDir)
  for (;;) {
    const pid = await readyPostmaster(folder)
    if (pid !== undefined) {
      const address = addressOf(folder)
      await createDatabaseIfMissing(address)
      return { ...address, pid: () => pid, stop: async () => {}, failed: new Promise(() => {}) }
    }
    try {
      return await start(folder, options)
    } catch (error) {
      // Somebody started it in the meantime.
      if (!(error instanceof FolderInUse)) throw error
    }
  }
}

async function start(folder: DataFolder, options: EmbeddedOptions): Promise<Embedded> {
  const binaries = await findBinaries(folder, options)
  await prepareCluster(folder, binaries, options.memoryMb)
  const server = await supervise({ folder, postgres: join(binaries.bin, 'postgres') }, options.log)
  const address = addressOf(folder)
  try {
    await removeOtherCopies(folder, binaries.bin, options.log)
    await createDatabase(address)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { ...address, ...server }
}

/** PostgreSQL may crash in this very moment, and is started again. */
async function createDatabase(address: ReturnType<typeof addressOf>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await createDatabaseIfMissing(address)
    } catch (error) {
      if (attempt === createAttempts) throw error
      await sleep(createPauseMs)
    }
  }
}

function addressOf(folder: DataFolder) {
  return { host: folder.path, port: socketPort, user: 'workgate', database: 'workgate' } as const
}
