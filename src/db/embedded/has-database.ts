// Tells whether DATA_DIR contains a database, without creating anything.

import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './child-process.ts'

const retryDelayMs = 50
const maxCreationMs = 60_000

/**
 * Waits while another process creates the database: the first command often follows right after the start of the
 * service. `maxWaitMs` is the longest time in which nothing is being created. A folder that cannot be read may contain
 * a database: opening it explains the reason.
 */
export async function hasDatabase(dataDir: string, maxWaitMs: number): Promise<boolean> {
  const began = Date.now()
  let lastProgress = began
  for (;;) {
    const names = await readdir(resolve(dataDir)).catch((error: NodeJS.ErrnoException): string[] | undefined =>
      error.code === 'ENOENT' ? [] : undefined,
    )
    if (!names || names.includes('postgres')) return true
    const now = Date.now()
    if (names.some(isBeingCreated) && now - began < maxCreationMs) lastProgress = now
    else if (now - lastProgress >= maxWaitMs) return false
    await sleep(retryDelayMs)
  }
}

/** Unfinished files and folders are named by the process that creates them. */
function isBeingCreated(name: string): boolean {
  const pid = Number(/\.new-(\d+)$/.exec(name)?.[1])
  return pid > 0 && isAlive(pid)
}
