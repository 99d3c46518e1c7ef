// Copies of PostgreSQL's programs in DATA_DIR: of those inside the executable, and of the npm package's. Each version is
// copied once.

import { cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PackedPostgres } from '../../runtime/executable.ts'
import type { Log } from '../../runtime/log.ts'
import { temporaryName, type DataFolder } from './data-folder.ts'
import { makeLibraryLinks } from './library-links.ts'
import { run } from './os-user.ts'
import { unpack } from './unpack.ts'

const prefix = 'binaries-'

/** Comes back with the copy of the package's folder `native`. */
export async function copyPackage(native: string, folder: DataFolder, log: Log): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8'))
  return makeCopy(version, folder, async (copy) => {
    log.info('Copying PostgreSQL into DATA_DIR, because it cannot be run where it is', { from: native })
    await cp(native, copy, { recursive: true, verbatimSymlinks: true })
    await run('chmod', ['-R', 'u+w', copy])
  })
}

/** Comes back with the folder that holds bin, lib and share. */
export async function unpackPostgres({ name, read }: PackedPostgres, folder: DataFolder, log: Log): Promise<string> {
  return makeCopy(name, folder, async (copy) => {
    log.info('Unpacking PostgreSQL into DATA_DIR', { name })
    await unpack(read(), copy)
  })
}

/** For when our server runs: it has the folder to itself, so that nobody runs another copy. */
export async function removeOtherCopies(folder: DataFolder, bin: string, log: Log): Promise<void> {
  for (const name of await readdir(folder.path)) {
    const copy = join(folder.path, name)
    if (!name.startsWith(prefix) || name.includes('.new-') || copy === dirname(bin)) continue
    log.info('Removing a copy of PostgreSQL that is not used any more', { copy })
    await rm(copy, { recursive: true, force: true }).catch((error: Error) => {
      log.warn('It could not be removed', { copy, problem: error.message })
    })
  }
}

async function makeCopy(name: string, folder: DataFolder, fill: (copy: string) => Promise<void>): Promise<string> {
  const copy = join(folder.path, prefix + name)
  if (await exists(copy)) return copy
  const temporary = temporaryName(copy)
  try {
    await fill(temporary)
    await makeLibraryLinks(temporary)
    const { ids } = folder.user
    if (ids) await run('chown', ['-hR', `${ids.uid}:${ids.gid}`, temporary])
    // A power failure must not leave a copy that only looks whole.
    await run('sync', [])
    await rename(temporary, copy)
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true })
    // Another process that started at the same time was faster.
    if (await exists(copy)) return copy
    throw new Error(`PostgreSQL could not be put into DATA_DIR ${folder.path}`, { cause })
  }
  return copy
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
