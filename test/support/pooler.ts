// Starts PgBouncer in transaction mode in front of a test server. It listens on a free loopback port and does not run
// as root.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './server.ts'

export interface Pooler {
  /** Returns the URL of the same database through PgBouncer. */
  through(url: string): string
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** A predefined user of Debian that owns no files. */
const unprivileged = { uid: 65_534, gid: 65_534 }

export async function startPooler(serverUrl: string, settings: Record<string, string> = {}): Promise<Pooler> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const folder = await mkdtemp(join(tmpdir(), 'workgate-pooler-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const users = [username, 'workgate_api'].map((user) => `"${user}" "${password}"\n`)
  await writeFile(join(folder, 'users.txt'), users.join(''))
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users.txt'),
    pool_mode: 'transaction',
    max_client_conn: 1_000,
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const databases = `[databases]\n* = host=${hostname} port=${serverPort}\n`
  await writeFile(join(folder, 'pgbouncer.ini'), `${databases}[pgbouncer]\n${lines.join('\n')}\n`)
  let child: ChildProcess | undefined

  const pooler: Pooler = {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    async start() {
      const as = process.getuid!() === 0 ? unprivileged : {}
      // Debian installs it in /usr/sbin, which is not in the PATH of all users.
      const env = { PATH: `${process.env['PATH']}:/usr/sbin` }
      child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { ...as, env, stdio: 'ignore' })
      await once(child, 'spawn')
      while (!(await listens(port))) {
        if (child.exitCode !== null) throw new Error(`PgBouncer exited with ${child.exitCode}`)
        await sleep(20)
      }
    },
    async stop(signal = 'SIGTERM') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    async remove() {
      await pooler.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await pooler.start()
  return pooler
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
