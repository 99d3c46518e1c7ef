// One run of PostgreSQL, from its start to its end.

import { setTimeout as sleep } from 'node:timers/promises'
import type { DataFolder } from './data-folder.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { waitUntilFree } from './running.ts'
import { sendSignal, spawnTied, type TiedProcess } from './tied-process.ts'

export interface Server {
  folder: DataFolder
  postgres: string
}

export interface Postmaster {
  pid: number
  /** Says how it ended. */
  ended: Promise<string>
  stop(): Promise<void>
}

// The backends of a server that was killed finish their statements, and hold its shared memory until then.
const orphansPatienceMs = 60_000

const fastShutdownMs = 30_000
const immediateShutdownMs = 5_000

/** Starts PostgreSQL and comes back when it answers. */
export async function launch({ folder, postgres }: Server, signal: AbortSignal): Promise<Postmaster> {
  const { pgdata, user } = folder
  const began = Date.now()
  for (;;) {
    await waitUntilFree(folder, signal)
    const child = spawnTied(postgres, ['-D', pgdata], user)
    const pid = await readyPid(child, pgdata, signal)
    const ended = child.ended.then((end) => `exit code ${end.code}${complaints(end.stderr)}`)
    if (pid !== undefined) return { pid, ended, stop: () => end(child) }
    const problem = await ended
    // The second: another process started it at the same time, and waitUntilFree will tell.
    const worthWaiting = /memory block .* still in use|lock file .* already exists/.test(problem)
    if (!worthWaiting || Date.now() - began > orphansPatienceMs) {
      throw new Error(`PostgreSQL did not start (its log is in ${folder.path}/log): ${problem}`)
    }
    await sleep(100, undefined, { signal })
  }
}

async function readyPid(child: TiedProcess, pgdata: string, signal: AbortSignal): Promise<number | undefined> {
  let over = false
  void child.ended.then(() => (over = true))
  try {
    while (!over) {
      const file = await readPostmasterFile(pgdata)
      if (file?.status === 'ready' && file.pid === child.pid()) return file.pid
      await sleep(5, undefined, { signal })
    }
  } catch (error) {
    await end(child)
    throw error
  }
  return undefined
}

async function end(child: TiedProcess): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    const pid = child.pid()
    if (pid !== undefined) sendSignal(pid, name)
  }
  child.release()
  signal('SIGINT') // in case that the watcher was killed
  const timers = [
    setTimeout(signal, fastShutdownMs, 'SIGQUIT'),
    setTimeout(signal, fastShutdownMs + immediateShutdownMs, 'SIGKILL'),
  ]
  await child.ended
  timers.forEach(clearTimeout)
}

// What it wrote before its own log took over, without the announcements.
function complaints(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() && !/ (LOG|HINT): /.test(line))
  return lines.length ? `: ${lines.join(' ')}` : ''
}
