// A child process that ends when we do, however that happens, and not before: Ctrl-C in the terminal and a SIGTERM to
// our process group do not reach it.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OsUser } from './os-user.ts'

// The watcher reads from a pipe that is never written to: it closes when we end, SIGKILL included. The shell waits for
// the process itself, so that we hear of its end too. SIGINT is repeated because a shell starts background processes
// with it ignored: one that came before PostgreSQL listens would be lost. SIGTERM is ignored because systemd sends it
// to every process of a service at once, while the service still needs its database for what it is answering. The watcher
// is waited for because it would be left to process 1, which in a container is the service and collects nobody.
const tie = `
trap '' HUP TERM
exec 3<&0 </dev/null
"$@" 3<&- >/dev/null &
pid=$!
{ read -r _ <&3; while kill -INT "$pid"; do sleep 1; done; } >/dev/null 2>&1 &
watcher=$!
exec 3<&-
echo "$pid"
wait "$pid"
code=$?
kill -KILL "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit "$code"
`

export interface TiedProcess {
  /** Of the process itself, not of the shell around it; unknown for the first moment. */
  pid(): number | undefined
  ended: Promise<{ code: number | null; stderr: string }>
  /** What would happen if we died: SIGINT until it ends. */
  release(): void
}

export function spawnTied(command: string, args: string[], user: OsUser): TiedProcess {
  const shell = spawn('/bin/sh', ['-c', tie, 'workgate-database', command, ...args], {
    ...user.ids,
    detached: true,
    cwd: '/',
    // Nothing of the service's environment: it holds secrets, and PG* variables would change what PostgreSQL does.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let pid: number | undefined
  let stderr = ''
  shell.stdin.on('error', () => {})
  shell.stdout.on('data', (line: Buffer) => (pid ??= Number(line.toString())))
  shell.stderr.on('data', (text: Buffer) => (stderr = (stderr + text).slice(-4000)))
  const stderrClosed = new Promise((resolve) => shell.stderr.once('close', resolve))
  const shellEnded = new Promise<number | null>((resolve) => {
    shell.once('exit', resolve)
    shell.once('error', (error) => {
      stderr = error.message
      resolve(null)
    })
  })

  async function end() {
    const code = await shellEnded
    // The shell may have been killed alone.
    while (pid !== undefined && isAlive(pid)) {
      sendSignal(pid, 'SIGINT')
      await sleep(20)
    }
    // Other processes may hold standard error for longer than we want to wait.
    await Promise.race([stderrClosed, sleep(100)])
    for (const stream of [shell.stdout, shell.stderr]) stream.destroy()
    return { code, stderr }
  }

  return { pid: () => pid, ended: end(), release: () => shell.stdin.destroy() }
}

/** Whether the process runs. */
export function isAlive(pid: number): boolean {
  if (!hasProcess(pid)) return false
  try {
    // "pid (name) state": Z has ended, and waits for a parent that does not ask.
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    // Deno does not show it, and other systems have none: then what has a number is alive.
    const hasEnded = ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')
    return process.platform !== 'linux' || !hasEnded
  }
}

/** Whether the number is taken by anything that we could signal: what PostgreSQL asks when it finds a lock file. */
export function hasProcess(pid: number): boolean {
  return sendSignal(pid, 0)
}

/** Whether there was a process that we may send it to. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ESRCH' || code === 'EPERM') return false
    // Deno wants a permission, without which nobody can say.
    throw error
  }
}
