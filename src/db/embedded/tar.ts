// Writes many files as the user who runs PostgreSQL: root reads them and pipes them to a `tar` of that user. See
// user-files.ts for the reason.

import { spawn } from 'node:child_process'
import { pipeline } from 'node:stream/promises'
import { childEnvironment, type OsUser } from './os-user.ts'
import { countPieces, piecesOf, type Advance } from './unpack.ts'

/** Reads a folder as the current user. `ended` rejects if not everything could be read. */
export function packFolder(folder: string) {
  const child = spawn('tar', ['-C', folder, '-cf', '-', '.'], {
    cwd: '/',
    env: childEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { archive: child.stdout, ended: ending(child) }
}

// Programs in a package may be read-only, and could then not be removed.
const extractScript = 'mkdir "$1" && tar -C "$1" -xf - && chmod -R u+w "$1"'

/** Creates the folder and unpacks the archive in it. */
export async function extractAs(
  user: OsUser,
  folder: string,
  source: Buffer | ReturnType<typeof packFolder>,
  advance: Advance,
): Promise<void> {
  const { archive, ended } = Buffer.isBuffer(source)
    ? { archive: piecesOf(source, advance), ended: undefined }
    : { archive: countPieces(source.archive, advance), ended: source.ended }
  const child = spawn('/bin/sh', ['-c', extractScript, 'sh', folder], {
    ...user.ids,
    cwd: '/',
    env: childEnvironment,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // If `tar` fails, its own message is the reason, not that it no longer reads.
  const [piped, ...ends] = await Promise.allSettled([pipeline(archive, child.stdin), ending(child), ended])
  for (const end of [...ends, piped]) if (end.status === 'rejected') throw end.reason
}

function ending(child: ReturnType<typeof spawn>): Promise<void> {
  let stderr = ''
  child.stderr!.on('data', (text: Buffer) => (stderr = (stderr + text).slice(0, 4000)))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(reasonIn(stderr)))))
  })
}

// GNU tar continues after most errors, and does not give the reason first.
function reasonIn(stderr: string): string {
  const lines = stderr.trim().split('\n')
  return lines.find((line) => / Cannot /.test(line)) ?? lines[0]!
}
