// Runs a child process that ends when this process ends, even if this process is killed. Ctrl-C in the terminal or a
// SIGTERM to the process group does not end it earlier.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { childEnvironment, runAs, type OsUser } from './os-user.ts'

// The watcher reads from a pipe that is never written to. The pipe closes when this process ends, even by SIGKILL. The
// shell waits for the child process, so the exit of the shell reports the exit of the child. SIGINT is repeated because
// a shell starts background processes with SIGINT ignored: a SIGINT that arrives before PostgreSQL installs its handler
// would be lost. SIGTERM is ignored because systemd sends it to every process of a service at once, while running
// requests still need the database. The shell waits for the watcher, which would otherwise become a zombie in a
// container, where process 1 is the service and does not reap orphans.
// If there is a named pipe, the watcher also waits until no process has it open for writing. It keeps the pipe open
// itself while this process runs. Processes that open the pipe just before it is removed are waited for, too.
const wrapperScript = `
trap '' HUP TERM
pipe=$1
shift
if [ -n "$pipe" ]; then
  mkfifo -m 600 "$pipe" || exit
  exec 4<>"$pipe" 5<"$pipe"
fi
exec 3<&0 </dev/null
"$@" 3<&- 4<&- 5<&- >/dev/null &
pid=$!
{
  read -r _ <&3
  if [ -n "$pipe" ]; then
    exec 4<&-
    read -r _ <&5
    rm -f "$pipe"
    read -r _ <&5
    # Otherwise "sleep" keeps it open for longer, and the file system of DATA_DIR busy.
    exec 5<&-
  fi
  while kill -INT "$pid"; do sleep 1; done
} >/dev/null 2>&1 &
watcher=$!
exec 3<&- 4<&- 5<&-
echo "$pid"
wait "$pid"
code=$?
kill -KILL "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
[ -z "$pipe" ] || rm -f "$pipe"
exit "$code"
`

export type ChildProcess = ReturnType<typeof spawnChild>

/** If `pipe` is given, creates a named pipe there. The child process then also outlives this one while others use it. */
export function spawnChild(command: string, args: string[], user: OsUser, pipe = '') {
  const shell = spawn('/bin/sh', ['-c', wrapperScript, 'workgate-database', pipe, command, ...args], {
    ...user.ids,
    detached: true,
    cwd: '/',
    env: childEnvironment,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  /** The process id of the child, not of the shell around it; undefined until the shell reports it. */
  let pid: number | undefined
  let stderr = ''
  shell.stdin.on('error', () => {})
  shell.stdout.on('data', (line: Buffer) => (pid ??= parsePid(line.toString())))
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
    // If only the shell was killed, the child process is still running.
    while (pid !== undefined && isAlive(pid) && (await signal('SIGINT'))) await sleep(20)
    // Other processes may keep standard error open for much longer.
    await Promise.race([stderrClosed, sleep(100)])
    for (const stream of [shell.stdout, shell.stderr]) stream.destroy()
    return { code, stderr }
  }

  // As the user of the child process, who can make the shell report the pid of any process, even of one of root.
  // Resolves with false if there is no child process.
  async function signal(name: NodeJS.Signals): Promise<boolean> {
    if (pid === undefined) return false
    if (!user.ids) return sendSignal(pid, name)
    const words = ['-c', 'kill -s "$1" "$2"', 'sh', name.replace('SIG', ''), String(pid)]
    return runAs(user, '/bin/sh', words).then(
      () => true,
      () => false,
    )
  }

  return {
    pid: () => pid,
    ended: end(),
    signal,
    /** Makes the watcher send SIGINT until the child process ends, as if this process had ended. */
    release: () => shell.stdin.destroy(),
  }
}

// Zero and negative numbers would be groups of processes.
function parsePid(line: string): number | undefined {
  return /^[1-9]\d*\n/.test(line) ? parseInt(line) : undefined
}

export function isAlive(pid: number): boolean {
  if (!hasProcess(pid)) return false
  try {
    // "pid (name) state": Z is a zombie, X is dead.
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    // Deno does not allow reading this file, and other systems have no /proc: every existing process then counts as
    // alive.
    const hasEnded = ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')
    return process.platform !== 'linux' || !hasEnded
  }
}

/**
 * Returns whether a process with this pid exists and may be signalled. PostgreSQL checks lock files in the same way.
 */
export function hasProcess(pid: number): boolean {
  return sendSignal(pid, 0)
}

/** Returns false if there is no such process, or it may not be signalled. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ESRCH' || code === 'EPERM') return false
    // Deno throws another error if it has no permission to send signals.
    throw error
  }
}
