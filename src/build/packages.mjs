// Unpacks npm packages that are built into the executable without being installed. They are downloaded once and checked each time.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const cache = join('node_modules', '.cache', 'workgate')

/** Unpacks a package, or some of its files, into a folder. */
export function unpackPackage({ name, version, integrity }, folder, files = []) {
  const archive = join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  mkdirSync(cache, { recursive: true })
  if (!hasIntegrity(archive, integrity)) {
    const npm = ['pack', `${name}@${version}`, '--silent', '--pack-destination', cache]
    execFileSync('npm', npm, { shell: process.platform === 'win32', stdio: ['ignore', 'ignore', 'inherit'] })
    if (!hasIntegrity(archive, integrity)) throw new Error(`${archive} is not what it should be (${integrity})`)
  }
  execFileSync('tar', [
    '-xzf',
    archive,
    '-C',
    folder,
    '--strip-components=1',
    ...files.map((file) => `package/${file}`),
  ])
}

function hasIntegrity(archive, integrity) {
  if (!existsSync(archive)) return false
  return integrity === 'sha512-' + createHash('sha512').update(readFileSync(archive)).digest('base64')
}
