// Starts a PostgreSQL server for tests. It listens on a free loopback port, requires a password, and does not run as
// root. It uses the programs of the embedded PostgreSQL, or those in a given folder.

import { spawn, execFile, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { findBinaries } from '../../src/db/embedded/binaries.ts'
import { openDataFolder, type DataFolder } from '../../src/db/embedded/data-folder.ts'
import { quiet } from './log.ts'

const run = promisify(execFile)
const password = 'secret-of-the-tests'
/** An old serializable transaction keeps the locks of all later ones, also of other databases, so there must be room. */
const predicateLocks = { max_pred_locks_per_transaction: 512, max_pred_locks_per_relation: 32 }

export interface Server {
  /** Returns the URL of one of its databases. */
  url(database: string): string
  /** Kills it as a crash would (SIGKILL), or requests an immediate (SIGQUIT) or a fast (SIGINT) shutdown. */
  stop(signal?: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void>
  start(settings?: Record<string, string>): Promise<void>
  pid(): number
  /** Its data directory. */
  readonly pgdata: string
  remove(): Promise<void>
}

interface ServerOptions {
  /** Makes it a standby of this server, with pg_basebackup. */
  primary?: Server
  /** The folder in which its own folder is created. */
  parent?: string
}

export async function startServer(
  postgresBin?: string,
  settings: Record<string, string> = {},
  { primary, parent = tmpdir() }: ServerOptions = {},
): Promise<Server> {
  const root = await mkdtemp(join(parent, 'workgate-server-'))
  // mkdtemp gives access to the current user only, but the user that runs PostgreSQL must be able to enter the folder.
  await chmod(root, 0o755)
  const folder = await openDataFolder(join(root, 'data'))
  const { bin } = await findBinaries(folder, { postgresBin, binaryRoots: [process.cwd()], path: '', log: quiet })
  const as = { cwd: folder.path, ...folder.user.ids }

  if (primary) {
    const copy = ['-d', primary.url('postgres'), '-D', folder.pgdata, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
    await run(join(bin, 'pg_basebackup'), copy, as)
  } else await initialize(bin, folder, as)
  let port = await freePort()
  let child: ChildProcess | undefined

  const server: Server = {
    url: (database) => `postgres://workgate:${password}@127.0.0.1:${port}/${database}`,
    pid: () => child!.pid!,
    pgdata: folder.pgdata,
    async start(more = {}) {
      const options = {
        listen_addresses: '127.0.0.1',
        port,
        unix_socket_directories: '',
        fsync: 'off',
        ...predicateLocks,
        ...settings,
        ...more,
      }
      const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      child = spawn(join(bin, 'postgres'), ['-D', folder.pgdata, ...args], {
        ...as,
        // With the password, the servers of a cluster connect to each other.
        env: { ...process.env, PGPASSWORD: password },
        stdio: ['ignore', 'ignore', 'ignore'],
      })
      await waitUntilReady(server.url('postgres'), folder.pgdata, child)
    },
    async stop(signal = 'SIGINT') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    async remove() {
      await server.stop('SIGQUIT')
      await rm(root, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  // Another program may take the port between freePort() and the start.
  for (let attempt = 1; ; attempt++) {
    try {
      await server.start()
      return server
    } catch (error) {
      if (attempt === 5) throw error
      port = await freePort()
    }
  }
}

/** Stops the processes of a server, which keeps its connections. Returns a function that lets them continue. */
export async function suspend(server: Server): Promise<() => void> {
  const pid = server.pid()
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)
  const all = [pid, ...children]
  for (const one of all) process.kill(one, 'SIGSTOP')
  return () => {
    for (const one of all) process.kill(one, 'SIGCONT')
  }
}

async function initialize(bin: string, folder: DataFolder, as: object): Promise<void> {
  const secret = join(folder.path, 'password')
  await writeFile(secret, password)
  await run('chown', [String(folder.user.ids?.uid ?? process.getuid!()), secret])
  const init = [
    '-D',
    folder.pgdata,
    '-U',
    'workgate',
    '-E',
    'UTF8',
    '-A',
    'scram-sha-256',
    '--pwfile',
    secret,
    '--no-sync',
  ]
  await run(join(bin, 'initdb'), [...init, '--locale=C.UTF-8'], as).catch(() =>
    run(join(bin, 'initdb'), [...init, '--locale=C'], as),
  )
}

async function waitUntilReady(url: string, pgdata: string, child: ChildProcess) {
  for (;;) {
    const sql = postgres(url, { max: 1, fetch_types: false, connect_timeout: 5, onnotice: () => {} })
    try {
      const [row] = await sql`show data_directory`
      if (row!['data_directory'] === pgdata) return
      throw new Error('another server uses the port')
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`the test server exited with ${child.exitCode}`, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 50))
    } finally {
      await sql.end({ timeout: 0 })
    }
  }
}

/** Returns the port on which the server then listens. */
export async function listen(server: NetServer): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  return port
}

/** A port that refuses connections, which no other program can get while this process runs: a client uses it. */
export async function refusingPort(): Promise<number> {
  const server = createServer().unref()
  const client = connect(await listen(server), '127.0.0.1').unref()
  const [[accepted]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
  ;(accepted as Socket).unref()
  return client.localPort!
}
