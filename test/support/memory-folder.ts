// Creates a folder in memory for the files of the tests: creating a database there takes a tenth of the time.

import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from '../../src/db/embedded/child-process.ts'

const memory = '/dev/shm'
/** Several times the observed size of a run. */
const minBytes = 4 * 1024 ** 3
const prefix = 'workgate-tests-'

/** Returns undefined if there is no such file system, too little memory, or no permission to run programs from it. */
export async function makeMemoryFolder(): Promise<string | undefined> {
  try {
    await removeAbandoned()
    const { bavail, bsize } = await statfs(memory)
    if (Math.min(bavail * bsize, freemem()) < minBytes) return undefined
    const folder = join(memory, `${prefix}${process.pid}`)
    await mkdir(folder)
    // Databases and services may run as other users.
    await chmod(folder, 0o1777)
    const program = join(folder, 'program')
    await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
    const isExecutable = await promisify(execFile)(program).then(() => true, () => false) // prettier-ignore
    await rm(isExecutable ? program : folder, { recursive: true })
    return isExecutable ? folder : undefined
  } catch {
    return undefined
  }
}

/** Removes the folders of killed runs, which occupy memory, but not those of other users. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(memory)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number(name.slice(prefix.length))
    // Another run may remove its own folder at the same time.
    const found = await stat(join(memory, name)).catch(() => undefined)
    const isAbandoned = pid === process.pid || !isAlive(pid)
    if (isAbandoned && found?.uid === process.getuid?.()) await rm(join(memory, name), { recursive: true, force: true })
  }
}
