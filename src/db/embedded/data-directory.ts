// Prepares the folder `postgres/`: runs initdb, checks the version, and writes the configuration files.

import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { DataFolder } from './data-folder.ts'
import type { OsUser } from './os-user.ts'
import { postgresqlConf, pgHbaConf, pgIdentConf } from './config-files.ts'
import { spawnChild } from './child-process.ts'
import { moveFolder, readText, remove, replaceFiles, temporaryPath } from './user-files.ts'

export async function prepareDataDirectory(folder: DataFolder, binaries: Binaries, memoryMb: number): Promise<void> {
  const { pgdata, user } = folder
  let major = await readMajor(folder)
  if (major === undefined) {
    await createCluster(folder, binaries)
    major = await readMajor(folder)
  }
  if (major !== binaries.major) throw new Error(describeVersionMismatch(folder, binaries, major))
  await replaceFiles(user, pgdata, {
    'postgresql.conf': postgresqlConf(folder, memoryMb),
    'pg_hba.conf': pgHbaConf,
    'pg_ident.conf': pgIdentConf(user, binaries.major),
  })
}

async function createCluster(folder: DataFolder, binaries: Binaries): Promise<void> {
  const temporary = temporaryPath(folder.pgdata)
  try {
    await initdb(temporary, binaries, folder.user)
    await moveFolder(folder.user, temporary, folder.pgdata)
  } catch (error) {
    await remove(folder.user, temporary)
    // Another process created the folder at the same time.
    if ((await readMajor(folder)) !== undefined) return
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

async function readMajor({ pgdata, user }: DataFolder): Promise<number | undefined> {
  const text = await readText(user, join(pgdata, 'PG_VERSION'))
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
