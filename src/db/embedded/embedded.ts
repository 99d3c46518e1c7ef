// Runs the embedded database: a PostgreSQL server in DATA_DIR, as a child process. Code outside this folder uses only
// its address.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeUnusedCopies } from './binaries-copy.ts'
import { findBinaries, type BinarySearch } from './binaries.ts'
import { prepareCluster } from './cluster.ts'
import { openDataFolder, removeTemporaryFolders, socketPort, type DataFolder } from './data-folder.ts'
import { createDatabaseIfMissing } from './create-database.ts'
import { explainDenied } from './foreign-files.ts'
import { isShared } from './os-user.ts'
import { FolderInUse, findReadyPostmaster, waitUntilFree } from './folder-in-use.ts'
import { supervise, type SupervisedServer } from './supervise.ts'

export interface EmbeddedOptions extends BinarySearch {
  dataDir: string
  memoryMb: number
}

export interface EmbeddedDatabase extends SupervisedServer {
  /** The folder of the Unix socket, which is DATA_DIR. */
  host: string
  port: number
  user: 'workgate'
  database: 'workgate'
}

const maxCreateAttempts = 20
const createRetryDelayMs = 250

/** Starts PostgreSQL and keeps it running until stop(). Throws FolderInUse if another process runs it. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const folder = await openDataFolder(options.dataDir)
  await removeTemporaryFolders(folder, options.log)
  if (isShared(folder.user)) {
    options.log.warn('PostgreSQL runs as user nobody, which other services may also use', {
      advice: 'Give DATA_DIR to a user of its own: see "As root" in the guide "PostgreSQL".',
    })
  }
  return explainDenied(folder, async () => {
    await waitUntilFree(folder)
    return startInFolder(folder, options)
  })
}

/** For commands: uses the running server, or starts one and runs it until stop(). */
export async function useEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const folder = await openDataFolder(options.dataDir)
  await removeTemporaryFolders(folder, options.log)
  return explainDenied(folder, () => useInFolder(folder, options))
}

async function useInFolder(folder: DataFolder, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  for (;;) {
    const pid = await findReadyPostmaster(folder)
    if (pid !== undefined) {
      const address = addressOf(folder)
      await createDatabaseIfMissing(address)
      return { ...address, pid: () => pid, stop: async () => {}, failed: new Promise(() => {}) }
    }
    try {
      return await startInFolder(folder, options)
    } catch (error) {
      // Another process started it in the meantime.
      if (!(error instanceof FolderInUse)) throw error
    }
  }
}

async function startInFolder(folder: DataFolder, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const binaries = await findBinaries(folder, options)
  await prepareCluster(folder, binaries, options.memoryMb)
  const server = await supervise({ folder, postgres: join(binaries.bin, 'postgres') }, options.log)
  const address = addressOf(folder)
  try {
    await removeUnusedCopies(folder, binaries.bin, options.log)
    await createDatabaseWithRetries(address)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { ...address, ...server }
}

/** Retries, because PostgreSQL may crash and be restarted in the meantime. */
async function createDatabaseWithRetries(address: ReturnType<typeof addressOf>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await createDatabaseIfMissing(address)
    } catch (error) {
      if (attempt === maxCreateAttempts) throw error
      await sleep(createRetryDelayMs)
    }
  }
}

function addressOf(folder: DataFolder) {
  return { host: folder.path, port: socketPort, user: 'workgate', database: 'workgate' } as const
}
