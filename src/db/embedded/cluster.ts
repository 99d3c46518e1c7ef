// The folder `postgres/`: made by initdb, checked, and given its settings.

import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { temporaryName, type DataFolder } from './data-folder.ts'
import type { OsUser } from './os-user.ts'
import { configuration, hostBasedAuthentication, userMap } from './settings.ts'
import { spawnTied } from './tied-process.ts'

export async function prepareCluster(folder: DataFolder, binaries: Binaries, memoryMb: number): Promise<void> {
  const { pgdata, user } = folder
  let major = await majorOf(pgdata)
  if (major === undefined) {
    await createCluster(folder, binaries)
    major = await majorOf(pgdata)
  }
  if (major !== binaries.major) throw new Error(howToMove(folder, binaries, major))
  await replaceFile(join(pgdata, 'postgresql.conf'), configuration(folder, memoryMb), user)
  await replaceFile(join(pgdata, 'pg_hba.conf'), hostBasedAuthentication, user)
  await replaceFile(join(pgdata, 'pg_ident.conf'), userMap(user, binaries.major), user)
}

async function createCluster(folder: DataFolder, binaries: Binaries): Promise<void> {
  const temporary = temporaryName(folder.pgdata)
  try {
    await initdb(temporary, binaries, folder.user)
    await rename(temporary, folder.pgdata)
    await syncFolder(folder.path)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    // Another process that started at the same time was faster; its folder is as good.
    if ((await majorOf(folder.pgdata)) !== undefined) return
    if (!isInTheWay(error)) throw error
    throw new Error(
      `DATA_DIR ${folder.path} holds "postgres", which is no database: it has no file PG_VERSION. Put back what ` +
        'is missing, from a backup, or move it away, and an empty database is made.',
    )
  }
}

async function initdb(pgdata: string, { bin, major }: Binaries, user: OsUser): Promise<void> {
  // The same order and the same upper and lower case on every machine. C.UTF-8 is not on all of them; C always is.
  const locales =
    major >= 17
      ? [['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']]
      : [['--locale=C.UTF-8'], ['--locale=C']]
  const flags = ['-D', pgdata, '-U', 'workgate', '-A', 'peer', '-E', 'UTF8', '--data-checksums', '--no-instructions']
  let problem = ''
  for (const locale of locales) {
    const { code, stderr } = await spawnTied(join(bin, 'initdb'), [...flags, ...locale], user).ended
    if (code === 0) return
    problem = stderr.trim()
  }
  throw new Error(`initdb could not make a database in DATA_DIR ${dirname(pgdata)}: ${problem}`)
}

/** What renaming says about the name that is to be taken. */
function isInTheWay(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

async function majorOf(pgdata: string): Promise<number | undefined> {
  const text = await readFile(join(pgdata, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  return text === undefined ? undefined : Number(text)
}

function howToMove(folder: DataFolder, { bin, major }: Binaries, made = 0): string {
  return (
    `DATA_DIR ${folder.path} was made by PostgreSQL ${made}, but ${bin} holds PostgreSQL ${major}, which cannot read ` +
    `it. Go on with ${made}: set POSTGRES_BIN to its bin folder.` +
    (made < major ? ` How to move the data to ${major} says the README under "Another version of PostgreSQL".` : '')
  )
}

// By way of a new file: as root we must not write through a link that PostgreSQL's user could have put there.
async function replaceFile(path: string, text: string, { ids }: OsUser): Promise<void> {
  const temporary = temporaryName(path)
  await rm(temporary, { force: true })
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    if (ids) await file.chown(ids.uid, ids.gid)
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}
