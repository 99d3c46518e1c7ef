// Reads postmaster.pid, which PostgreSQL writes into its data folder, and checks whether its process serves that
// folder: a killed server leaves the file behind, its pid may be reused, and a copied folder contains the file of the
// original.

import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { DataFolder } from './data-folder.ts'
import { runAs } from './os-user.ts'
import { isAlive } from './child-process.ts'
import { readText } from './user-files.ts'

export type PostmasterFile = NonNullable<Awaited<ReturnType<typeof readPostmasterFile>>>

/** `pgdata` is the path of the folder when the server started, and `startedAt` is in seconds since 1970. */
export async function readPostmasterFile({ pgdata, user }: DataFolder) {
  const text = (await readText(user, join(pgdata, 'postmaster.pid'))) ?? ''
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!(pid > 0)) return undefined
  return { pid, pgdata: lines[1] ?? '', startedAt: lines[2] ?? '', status: lines[7]?.trim() || 'starting' }
}

export async function checkServing(
  { pid, status }: PostmasterFile,
  folder: DataFolder,
): Promise<'serving' | 'maybe serving' | 'not serving'> {
  const workingDirectory =
    isAlive(pid) && (await isNamedPostgres(pid)) ? await compareWorkingDirectory(pid, folder) : 'different'
  if (workingDirectory === 'same') return 'serving'
  const socketState = await probeSocket(folder.socket)
  if (workingDirectory === 'unknown') {
    if (socketState === 'listening') return 'serving'
    // A ready server listens on the socket until it is told to stop.
    return socketState === 'refused' && status === 'ready' ? 'not serving' : 'maybe serving'
  }
  // A server with another pid may be listening, for example in another container or under an emulator.
  return socketState === 'listening' ? 'maybe serving' : 'not serving'
}

async function isNamedPostgres(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres')
  return name.trim() === 'postgres'
}

// Runs as PostgreSQL's user: without the capability to trace processes, which containers lack, root cannot inspect the
// processes of other users. Processes of any other user do not serve this folder.
const compareScript = `
kill -0 "$1" 2>/dev/null || exit 1
test -d "/proc/$1/cwd/." || exit 2
test "/proc/$1/cwd" -ef "$2"
`

/** The working directory of a server is its data folder, even after the folder was moved. Only Linux exposes it. */
async function compareWorkingDirectory(
  pid: number,
  { pgdata, user }: DataFolder,
): Promise<'same' | 'different' | 'unknown'> {
  return runAs(user, '/bin/sh', ['-c', compareScript, 'sh', String(pid), pgdata]).then(
    () => 'same',
    ({ code }) => (code === 1 ? 'different' : 'unknown'),
  )
}

export function probeSocket(socket: string): Promise<'listening' | 'refused' | 'unknown'> {
  return new Promise((resolve) => {
    const connection = connect(socket)
    connection.once('connect', () => {
      connection.destroy()
      resolve('listening')
    })
    connection.once('error', ({ code }: NodeJS.ErrnoException) => {
      // EAGAIN: the server listens, but its backlog is full.
      resolve(code === 'EAGAIN' ? 'listening' : code === 'ECONNREFUSED' ? 'refused' : 'unknown')
    })
  })
}
