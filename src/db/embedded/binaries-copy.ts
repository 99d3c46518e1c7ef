// A copy of the npm package's PostgreSQL in DATA_DIR, made once for each version.

import { cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Log } from '../../log.ts'
import { temporaryName, type DataFolder } from './data-folder.ts'
import { makeLibraryLinks } from './library-links.ts'
import { run } from './os-user.ts'

const prefix = 'binaries-'

/** Comes back with the copy of the package's folder `native`. */
export async function copyPackage(native: string, folder: DataFolder, log: Log): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8'))
  const copy = join(folder.path, prefix + version)
  if (await exists(copy)) return copy
  log.info('Copying PostgreSQL into DATA_DIR, because it cannot be run where it is', { from: native, to: copy })
  await removeOtherVersions(folder.path)
  const temporary = temporaryName(copy)
  await cp(native, temporary, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'u+w', temporary])
  await makeLibraryLinks(temporary)
  const { ids } = folder.user
  if (ids) await run('chown', ['-hR', `${ids.uid}:${ids.gid}`, temporary])
  // A power failure must not leave a copy that only looks whole.
  await run('sync', [])
  await rename(temporary, copy).catch(async (error) => {
    // Another process that started at the same time was faster.
    if (!(await exists(copy))) throw error
    await rm(temporary, { recursive: true, force: true })
  })
  return copy
}

async function removeOtherVersions(path: string): Promise<void> {
  const old = (await readdir(path)).filter((name) => name.startsWith(prefix) && !name.includes('.new-'))
  await Promise.all(old.map((name) => rm(join(path, name), { recursive: true, force: true })))
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
