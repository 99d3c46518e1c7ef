// Copies PostgreSQL's programs from the executable or the npm package into DATA_DIR. Each version is copied once.

import { existsSync } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PackedPostgres } from '../../runtime/program.ts'
import type { Log } from '../../runtime/log.ts'
import { untracked, type Progress } from '../../runtime/progress.ts'
import type { DataFolder } from './data-folder.ts'
import { createLibraryLinks } from './library-links.ts'
import { runCommand } from './os-user.ts'
import { extractAs, packFolder } from './tar.ts'
import { decompress, unpack } from './unpack.ts'
import { moveFolder, remove, temporaryPath } from './user-files.ts'

const prefix = 'binaries-'

interface Reports {
  log: Log
  progress?: Progress
}

/** Copies the folder `native` of the package. Returns the path of the copy. */
export async function copyPackage(
  native: string,
  folder: DataFolder,
  { log, progress = untracked }: Reports,
): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8'))
  return createCopy(version, folder, async (copy) => {
    log.info('copying PostgreSQL into DATA_DIR, because it cannot run from its package', { from: native })
    await progress('copying PostgreSQL', await sizeOf(native), (advance) =>
      extractAs(folder.user, copy, packFolder(native), advance),
    )
  })
}

/** Returns the folder that contains bin, lib and share. */
export async function unpackPostgres(
  { name, read }: PackedPostgres,
  folder: DataFolder,
  { log, progress = untracked }: Reports,
): Promise<string> {
  return createCopy(name, folder, async (copy) => {
    log.info('unpacking PostgreSQL into DATA_DIR', { name })
    const packed = read()
    const archive = await progress('decompressing PostgreSQL', packed.length, (advance) => decompress(packed, advance))
    await progress('unpacking PostgreSQL', archive.length, (advance) =>
      folder.user.ids ? extractAs(folder.user, copy, archive, advance) : unpack(archive, copy, advance),
    )
  })
}

/** Call this only while this process's server is running: no other server then uses the folder, or a copy in it. */
export async function removeUnusedCopies(folder: DataFolder, bin: string, log: Log): Promise<void> {
  for (const name of await readdir(folder.path)) {
    const copy = join(folder.path, name)
    if (!name.startsWith(prefix) || name.includes('.new-') || copy === dirname(bin)) continue
    log.info('removing an unused copy of PostgreSQL', { copy })
    await remove(folder.user, copy).catch((error: Error) => {
      log.warn('an unused copy of PostgreSQL could not be removed', { copy, problem: error.message })
    })
  }
}

async function createCopy(name: string, folder: DataFolder, fill: (copy: string) => Promise<void>): Promise<string> {
  const copy = join(folder.path, prefix + name)
  if (existsSync(copy)) return copy
  const temporary = temporaryPath(copy)
  try {
    await fill(temporary)
    await createLibraryLinks(temporary, folder.user)
    // A power failure must not leave an incomplete copy under the final name.
    await runCommand('sync', [])
    await moveFolder(folder.user, temporary, copy)
  } catch (cause) {
    await remove(folder.user, temporary)
    // Another process created the copy at the same time.
    if (existsSync(copy)) return copy
    throw new Error(`cannot copy PostgreSQL into DATA_DIR ${folder.path}`, { cause })
  }
  return copy
}

/** Returns the total size of the files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const files = await Promise.all(names.map((name) => lstat(join(folder, name))))
  return files.reduce((sum, file) => sum + (file.isDirectory() ? 0 : file.size), 0)
}
