// Starts and stops one PostgreSQL server process.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../runtime/log.ts'
import type { DataFolder } from './data-folder.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { waitUntilFree, type Starter } from './folder-in-use.ts'
import { spawnChild, type ChildProcess } from './child-process.ts'
import { newCommandsPipe, waitForOtherCommands } from './commands-pipe.ts'

export type Postmaster = Awaited<ReturnType<typeof startPostmaster>>

// The backends of a killed server use its shared memory until their statements finish.
const maxOrphanWaitMs = 60_000

// As root, each poll starts a process. A start is noticed late by at most a fifth of its duration.
const [minPollMs, maxPollMs] = [5, 100]

const fastShutdownMs = 30_000
const immediateShutdownMs = 5_000

/** Starts PostgreSQL and waits until it accepts connections. */
export async function startPostmaster(folder: DataFolder, postgres: string, starter: Starter, signal: AbortSignal) {
  let startedAt = Date.now()
  for (;;) {
    const waitedSince = Date.now()
    await waitUntilFree(folder, starter, signal)
    startedAt += Date.now() - waitedSince
    const pipe = starter.isService ? undefined : newCommandsPipe(folder)
    const child = spawnChild(postgres, ['-D', folder.pgdata, ...(pipe?.args ?? [])], folder.user, pipe?.path)
    const pid = await waitUntilReady(child, folder, signal)
    /** Resolves with the reason when the process ends. */
    const ended = child.ended.then((end) => `exit code ${end.code}${errorLines(end.stderr)}`)
    if (pid !== undefined) {
      // The server of a command runs until no other command uses it.
      const stop = () => (pipe ? stopWhenUnused(child, pipe.path, starter.log) : stopProcess(child))
      return { pid, pipe: pipe?.path, ended, stop }
    }
    const problem = await ended
    // "lock file": another process started a server at the same time. waitUntilFree() throws if it keeps running.
    const isRetryable = /memory block .* still in use|lock file .* already exists/.test(problem)
    if (!isRetryable || Date.now() - startedAt > maxOrphanWaitMs) {
      throw new Error(`PostgreSQL did not start (its log is in ${folder.path}/log): ${problem}`)
    }
    await sleep(100, undefined, { signal })
  }
}

async function waitUntilReady(
  child: ChildProcess,
  folder: DataFolder,
  signal: AbortSignal,
): Promise<number | undefined> {
  let hasEnded = false
  void child.ended.then(() => (hasEnded = true))
  try {
    for (let delayMs = minPollMs; !hasEnded; delayMs = Math.min(delayMs * 1.2, maxPollMs)) {
      const file = await readPostmasterFile(folder)
      if (file?.status === 'ready' && file.pid === child.pid()) return file.pid
      await sleep(delayMs, undefined, { signal })
    }
  } catch (error) {
    await stopProcess(child)
    throw error
  }
  return undefined
}

async function stopWhenUnused(child: ChildProcess, pipe: string, log: Log): Promise<void> {
  let hasEnded = false
  void child.ended.then(() => (hasEnded = true))
  child.release()
  await waitForOtherCommands(pipe, () => !hasEnded, log)
  await stopProcess(child)
}

async function stopProcess(child: ChildProcess): Promise<void> {
  child.release()
  void child.signal('SIGINT') // in case the watcher was killed
  const timers = [
    setTimeout(child.signal, fastShutdownMs, 'SIGQUIT'),
    setTimeout(child.signal, fastShutdownMs + immediateShutdownMs, 'SIGKILL'),
  ]
  await child.ended
  timers.forEach(clearTimeout)
}

// Returns the lines that PostgreSQL wrote before it opened its log file, except LOG and HINT.
function errorLines(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() && !/ (LOG|HINT): /.test(line))
  return lines.length ? `: ${lines.join(' ')}` : ''
}
