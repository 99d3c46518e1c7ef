// Keeps a server that a command started running until the last command that uses it has ended, even if the first one is
// killed: each holds a named pipe in DATA_DIR open, which the watcher of the server reads (child-process.ts). Commands
// can join while the first one waits for others at its end.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../runtime/log.ts'
import type { DataFolder } from './data-folder.ts'
import { childEnvironment } from './os-user.ts'
import { isMissing, readText, remove } from './user-files.ts'

// The server is started with this setting, which tells others the name of the pipe. The server of a service has none.
const setting = 'workgate.commands_pipe'
const namePattern = /^commands-[0-9a-f]{16}$/

const maxJoinMs = 10_000
const [minPollMs, maxPollMs] = [5, 100]
const reportWaitAfterMs = 1_000

/** Returns the path of a new pipe, which the watcher creates, and the arguments of the server. */
export function newCommandsPipe({ path }: DataFolder) {
  const name = `commands-${randomBytes(8).toString('hex')}`
  return { path: join(path, name), args: ['-c', `${setting}=${name}`] }
}

/**
 * Returns the path of the pipe, or undefined if no command started the server. Reads the arguments of the server, which
 * PostgreSQL writes to a file before it is ready.
 */
export async function findCommandsPipe({ path, pgdata, user }: DataFolder): Promise<string | undefined> {
  const args = (await readText(user, join(pgdata, 'postmaster.opts'))) ?? ''
  const [, name] = new RegExp(`"${setting}=(\\S+)"`).exec(args) ?? []
  return name !== undefined && namePattern.test(name) ? join(path, name) : undefined
}

// Opening the pipe waits for its reader. The last lines of the watcher remove the pipe and then wait for those who
// opened it before, so the server keeps running if the pipe still exists after it was opened. If it did not exist, the
// shell created a file.
const joinScript = `
trap '' HUP INT TERM
[ -p "$1" ] || exit 1
exec 3>"$1"
[ -p "$1" ] || { rm -f "$1"; exit 1; }
echo joined
read -r _
`

/**
 * Keeps the server running until the returned function is called, or this process ends. Returns undefined if the server
 * is stopping.
 */
export async function joinCommands(pipe: string, { user }: DataFolder): Promise<(() => Promise<void>) | undefined> {
  // A process of its own, because root does not open files in DATA_DIR.
  const holder = spawn('/bin/sh', ['-c', joinScript, 'workgate-command', pipe], {
    ...user.ids,
    detached: true,
    cwd: '/',
    env: childEnvironment,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  holder.stdin.on('error', () => {})
  const ended = new Promise<void>((resolve) => {
    holder.once('exit', () => resolve())
    holder.once('error', () => resolve())
  })
  const timeout = new AbortController()
  const hasJoined = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    ended.then(() => false),
    sleep(maxJoinMs, false, { signal: timeout.signal }),
  ])
  timeout.abort()
  if (hasJoined)
    return () => {
      holder.stdin.destroy()
      return ended
    }
  holder.kill('SIGKILL')
  return undefined
}

/** Resolves when no other command uses the server. `stillRuns` tells whether the server runs. */
export async function waitForOtherCommands(pipe: string, stillRuns: () => boolean, log: Log): Promise<void> {
  const startedAt = Date.now()
  let isReported = false
  for (let delayMs = minPollMs; stillRuns() && !(await isMissing(pipe)); delayMs = Math.min(delayMs * 1.2, maxPollMs)) {
    if (!isReported && Date.now() - startedAt > reportWaitAfterMs) {
      isReported = true
      log.warn('waiting for other commands that use the embedded database; Ctrl+C ends the wait, and not the others')
    }
    await sleep(delayMs)
  }
}

/** Removes the pipes of servers that were killed with their watcher. Call this while the server runs that uses `pipe`. */
export async function removeUnusedPipes({ path, user }: DataFolder, pipe: string | undefined): Promise<void> {
  const names = (await readdir(path)).filter((name) => namePattern.test(name) && join(path, name) !== pipe)
  for (const name of names) await remove(user, join(path, name))
}
