// Prepares the folder `postgres/`: runs initdb, checks the version, and writes the configuration files.

import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { temporaryPath, type DataFolder } from './data-folder.ts'
import type { OsUser } from './os-user.ts'
import { postgresqlConf, pgHbaConf, pgIdentConf } from './config-files.ts'
import { spawnChild } from './child-process.ts'

export async function prepareCluster(folder: DataFolder, binaries: Binaries, memoryMb: number): Promise<void> {
  const { pgdata, user } = folder
  let major = await readMajor(pgdata)
  if (major === undefined) {
    await createCluster(folder, binaries)
    major = await readMajor(pgdata)
  }
  if (major !== binaries.major) throw new Error(describeVersionMismatch(folder, binaries, major))
  await replaceFile(join(pgdata, 'postgresql.conf'), postgresqlConf(folder, memoryMb), user)
  await replaceFile(join(pgdata, 'pg_hba.conf'), pgHbaConf, user)
  await replaceFile(join(pgdata, 'pg_ident.conf'), pgIdentConf(user, binaries.major), user)
}

async function createCluster(folder: DataFolder, binaries: Binaries): Promise<void> {
  const temporary = temporaryPath(folder.pgdata)
  try {
    await initdb(temporary, binaries, folder.user)
    await rename(temporary, folder.pgdata)
    await syncFolder(folder.path)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    // Another process created the folder at the same time.
    if ((await readMajor(folder.pgdata)) !== undefined) return
    if (!isNameTaken(error)) throw error
    throw new Error(
      `DATA_DIR ${folder.path} contains "postgres", which is not a database: it has no PG_VERSION file. Restore the ` +
        'missing files from a backup, or move "postgres" away to start with an empty database.',
    )
  }
}

async function initdb(pgdata: string, { bin, major }: Binaries, user: OsUser): Promise<void> {
  // The sort order and case mapping are the same on every machine. Not every machine has C.UTF-8; C always exists.
  const locales =
    major >= 17
      ? [['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']]
      : [['--locale=C.UTF-8'], ['--locale=C']]
  const flags = ['-D', pgdata, '-U', 'workgate', '-A', 'peer', '-E', 'UTF8', '--data-checksums', '--no-instructions']
  let problem = ''
  for (const locale of locales) {
    const { code, stderr } = await spawnChild(join(bin, 'initdb'), [...flags, ...locale], user).ended
    if (code === 0) return
    problem = stderr.trim()
  }
  throw new Error(`initdb cannot create a database in DATA_DIR ${dirname(pgdata)}: ${problem}`)
}

/** rename() fails with one of these if the target exists. */
function isNameTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

async function readMajor(pgdata: string): Promise<number | undefined> {
  const text = await readFile(join(pgdata, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  return text === undefined ? undefined : Number(text)
}

function describeVersionMismatch(folder: DataFolder, { bin, major }: Binaries, dataMajor = 0): string {
  return (
    `DATA_DIR ${folder.path} was created by PostgreSQL ${dataMajor}, but ${bin} contains PostgreSQL ${major}, which cannot ` +
    `read it. To continue with PostgreSQL ${dataMajor}, set POSTGRES_BIN to its bin folder.` +
    (dataMajor < major
      ? ` To move the data to PostgreSQL ${major}, see "Moving to another PostgreSQL version" in the guide "Backups and upgrades".`
      : '')
  )
}

// Writes a new file and renames it: root must not write through a link that the user of PostgreSQL may have created.
async function replaceFile(path: string, text: string, { ids }: OsUser): Promise<void> {
  const temporary = temporaryPath(path)
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
