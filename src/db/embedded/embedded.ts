// Runs the embedded database: a PostgreSQL server in DATA_DIR, as a child process. Code outside this folder uses only
// its address.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeUnusedCopies } from './binaries-copy.ts'
import { findBinaries, type BinarySearch } from './binaries.ts'
import { prepareDataDirectory } from './data-directory.ts'
import { openDataFolder, removeTemporaryFolders, socketPort, type DataFolder } from './data-folder.ts'
import { runAs } from './os-user.ts'
import { findCommandsPipe, joinCommands, removeUnusedPipes } from './commands-pipe.ts'
import { FolderInUse, findReadyPostmaster, waitUntilFree, type Starter } from './folder-in-use.ts'
import { supervise } from './supervise.ts'
import postgres from 'postgres'

export interface EmbeddedOptions extends BinarySearch {
  dataDir: string
  memoryMb: number
  /** Ends the wait of a service for a command: startEmbedded() then throws StartCancelled. */
  cancelled?: AbortSignal
}

export type EmbeddedDatabase = Awaited<ReturnType<typeof startInFolder>>

const maxCreateAttempts = 20
const createRetryDelayMs = 250

/** For the time in which servers are found that stop, or that others start, but none that can be used. */
const maxUseAttemptsMs = 60_000
const useRetryDelayMs = 20

/**
 * Starts PostgreSQL and keeps it running until stop(). Waits while commands use the database. Throws FolderInUse if
 * another service runs it.
 */
export const startEmbedded = (options: EmbeddedOptions) =>
  inDataFolder(options, async (folder) => {
    const { name, ids } = folder.user
    if (ids && name === 'nobody') {
      options.log.warn('PostgreSQL runs as user nobody, which other services may also use', {
        advice: 'Give DATA_DIR to a user of its own: see "As root" in the guide "PostgreSQL".',
      })
    }
    const starter = { ...options, isService: true }
    await waitUntilFree(folder, starter)
    return startInFolder(folder, options, starter)
  })

/**
 * For commands: uses the running server until stop(), or starts one, which runs until no command uses it. A server that
 * is stopping is started again.
 */
export const useEmbedded = (options: EmbeddedOptions) =>
  inDataFolder(options, async (folder): Promise<EmbeddedDatabase> => {
    for (const deadline = Date.now() + maxUseAttemptsMs; ; await sleep(useRetryDelayMs)) {
      const pid = await findReadyPostmaster(folder)
      const found = pid === undefined ? await startUnlessInUse(folder, options) : await useServer(folder, pid)
      if (!(found instanceof FolderInUse)) return found
      if (Date.now() > deadline) throw found
    }
  })

async function startUnlessInUse(folder: DataFolder, options: EmbeddedOptions): Promise<EmbeddedDatabase | FolderInUse> {
  return startInFolder(folder, options, { ...options, isService: false }).catch((error: unknown) => {
    // Another process started it in the meantime.
    if (error instanceof FolderInUse) return error
    throw error
  })
}

/** Returns FolderInUse if the server is stopping. */
async function useServer(folder: DataFolder, pid: number): Promise<EmbeddedDatabase | FolderInUse> {
  const pipe = await findCommandsPipe(folder)
  const leave = pipe === undefined ? async () => {} : await joinCommands(pipe, folder)
  if (!leave) return new FolderInUse(folder, pid, true)
  const address = addressOf(folder)
  try {
    await createDatabaseIfMissing(address)
  } catch (error) {
    await leave()
    if (isStopping(error)) return new FolderInUse(folder, pid, true)
    throw error
  }
  return { ...address, pid: () => pid, stop: leave, failed: new Promise(() => {}) }
}

async function startInFolder(folder: DataFolder, options: EmbeddedOptions, starter: Starter) {
  const binaries = await findBinaries(folder, options)
  await prepareDataDirectory(folder, binaries, options.memoryMb)
  const { pid, pipe, stop, failed } = await supervise(folder, join(binaries.bin, 'postgres'), starter)
  const address = addressOf(folder)
  try {
    await removeUnusedCopies(folder, binaries.bin, options.log)
    await removeUnusedPipes(folder, pipe())
    await createDatabaseWithRetries(address)
  } catch (error) {
    await stop()
    throw error
  }
  return { ...address, pid, stop, failed }
}

/** Retries, because PostgreSQL may crash and be restarted in the meantime. */
async function createDatabaseWithRetries(address: Address): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await createDatabaseIfMissing(address)
    } catch (error) {
      if (attempt === maxCreateAttempts) throw error
      await sleep(createRetryDelayMs)
    }
  }
}

type Address = ReturnType<typeof addressOf>

/** The host is the folder of the Unix socket. */
function addressOf(folder: DataFolder) {
  return { host: folder.path, port: socketPort, user: 'workgate', database: 'workgate' }
}

/** Runs the work. If it fails for lack of permission, the error names the file and the command that corrects it. */
async function inDataFolder<Result>(
  { dataDir, log }: EmbeddedOptions,
  work: (folder: DataFolder) => Promise<Result>,
): Promise<Result> {
  const folder = await openDataFolder(dataDir)
  await removeTemporaryFolders(folder, log)
  try {
    return await work(folder)
  } catch (error) {
    const file = isDenied(error as Error) ? await findForeignFile(folder) : ''
    if (!file) throw error
    const { path, user } = folder
    const explanation = `DATA_DIR ${path}: ${file} does not belong to user ${user.name}; run chown -hR ${user.name}: ${path}`
    throw new Error(explanation, { cause: error })
  }
}

// Messages of the system, and of PostgreSQL about its data folder.
function isDenied({ message, cause }: Error): boolean {
  const isDeniedHere = /permission denied|not permitted|wrong ownership/i.test(message)
  return isDeniedHere || (cause instanceof Error && isDenied(cause))
}

/** Without `find`, which minimal containers lack, the first error has to suffice. */
async function findForeignFile({ path, user }: DataFolder): Promise<string> {
  const uid = String(user.ids?.uid ?? process.getuid?.())
  const script = `find "$1/." -name lost+found -prune -o ! -user "$2" -print 2>/dev/null | head -n 1`
  const file = await runAs(user, '/bin/sh', ['-c', script, 'sh', path, uid])
  return file.replace('/./', '/').trim()
}

// Shutting down, or starting again after a crash.
const stoppingStates = ['57P01', '57P02', '57P03']
const lostConnection = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED', 'CONNECTION_DESTROYED']

const isStopping = (error: unknown) => [...stoppingStates, ...lostConnection].includes(codeOf(error) ?? '')

const noSuchDatabase = '3D000'
/** The second is the unique index on names, which is what most processes that create it at the same time violate. */
const databaseExists = ['42P04', '23505']

/** Always connects, and so also checks that the server responds. */
export async function createDatabaseIfMissing(address: Address): Promise<void> {
  try {
    await runStatement(address, 'select 1')
  } catch (error) {
    if (codeOf(error) !== noSuchDatabase) throw error
    await runStatement({ ...address, database: 'postgres' }, `create database ${address.database}`).catch((cause) => {
      // Another process created it at the same time.
      if (!databaseExists.includes(codeOf(cause)!)) throw cause
    })
  }
}

async function runStatement(address: Address, statement: string): Promise<void> {
  const sql = postgres({ ...address, max: 1, fetch_types: false, connect_timeout: 30, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    // Without a timeout, the driver can wait for ever for a connection that the server has closed.
    await sql.end({ timeout: 1 })
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code
}
