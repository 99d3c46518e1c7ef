// Writes the file that a command is given. It contains what people have written, and a backup also the hashes of keys, and
// other users may be able to create files and links in its folder.

import type { Stats } from 'node:fs'
import { lstat, open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { UsageError } from './command-context.ts'

/**
 * Writes FILE.part, which only its owner can read, and renames it when it is complete and on the disk, so a command that
 * fails leaves no file that looks complete. A FILE.part of an interrupted command is removed first.
 */
export async function writeOutputFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const existing = await statsOf(path)
  if (existing && !existing.isFile())
    throw new UsageError(
      `cannot write ${path}: it is ${existing.isSymbolicLink() ? 'a link; name the file that it points at' : 'not a regular file'}`,
    )
  const unfinished = `${path}.part`
  await rm(unfinished, { force: true })
  // Fails if anybody has created a file or a link of this name since.
  const file = await open(unfinished, 'wx', 0o600)
  try {
    // Whatever the umask is.
    await file.chmod(0o600)
    await writeFile(file, chunks)
    await file.sync()
    if (!(await isAt(unfinished, file)))
      throw new Error(`cannot write ${path}: another command has replaced ${unfinished}`)
    await rename(unfinished, path)
  } catch (error) {
    if (await isAt(unfinished, file)) await rm(unfinished, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [there, own] = [await statsOf(path), await file.stat()]
  return there?.ino === own.ino && there.dev === own.dev
}

/** Follows no link. */
async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
