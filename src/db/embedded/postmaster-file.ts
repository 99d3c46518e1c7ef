// postmaster.pid, which PostgreSQL writes into its folder, and whether the process that it names serves that folder: a
// server that was killed leaves it behind, its number goes to somebody else, and a copied folder has the original's.

import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { DataFolder } from './data-folder.ts'
import { run } from './os-user.ts'
import { isAlive } from './tied-process.ts'

export interface PostmasterFile {
  pid: number
  /** Where the folder was when the server started. */
  pgdata: string
  /** In seconds since 1970. */
  started: string
  status: string
}

export type Claim = 'serves' | 'may serve' | 'does not serve'

export async function readPostmasterFile(pgdata: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return ''
    throw error
  })
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!(pid > 0)) return undefined
  return { pid, pgdata: lines[1] ?? '', started: lines[2] ?? '', status: lines[7]?.trim() || 'starting' }
}

export async function claimOf({ pid, status }: PostmasterFile, folder: DataFolder): Promise<Claim> {
  const worksThere = isAlive(pid) && (await isCalledPostgres(pid)) ? await worksIn(pid, folder) : 'no'
  if (worksThere === 'yes') return 'serves'
  const reply = await knock(folder.socket)
  if (worksThere === 'unknown') {
    if (reply === 'answers') return 'serves'
    // Nobody listens at the socket, where a server that is ready does until it is asked to stop.
    return reply === 'refuses' && status === 'ready' ? 'does not serve' : 'may serve'
  }
  // By another number: it runs in another container, or under an emulator.
  return reply === 'answers' ? 'may serve' : 'does not serve'
}

async function isCalledPostgres(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres')
  return name.trim() === 'postgres'
}

// Asked as PostgreSQL's user: of other users' processes root is not told without the capability to trace them, which
// containers lack, and none of them serves this folder.
const comparison = `
kill -0 "$1" 2>/dev/null || exit 1
test -d "/proc/$1/cwd/." || exit 2
test "/proc/$1/cwd" -ef "$2"
`

/** A server's working directory is its folder, also after that was moved. Only Linux tells. */
async function worksIn(pid: number, { pgdata, user }: DataFolder): Promise<'yes' | 'no' | 'unknown'> {
  return run('/bin/sh', ['-c', comparison, 'sh', String(pid), pgdata], { ...user.ids, cwd: '/' }).then(
    () => 'yes',
    ({ code }) => (code === 1 ? 'no' : 'unknown'),
  )
}

/** Whether anybody listens at the socket. */
export function knock(socket: string): Promise<'answers' | 'refuses' | 'unknown'> {
  return new Promise((resolve) => {
    const connection = connect(socket)
    connection.once('connect', () => {
      connection.destroy()
      resolve('answers')
    })
    connection.once('error', ({ code }: NodeJS.ErrnoException) => {
      // EAGAIN: so many knock that one more would have to wait.
      resolve(code === 'EAGAIN' ? 'answers' : code === 'ECONNREFUSED' ? 'refuses' : 'unknown')
    })
  })
}
