// Runs before `npm start`: installs the packages and builds the artifact, unless both are up to date.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { artifact, hashInputs, isBuiltFrom } from './artifact.mjs'

const isWindows = process.platform === 'win32'
const npm = (args, stdio) => spawnSync('npm', args, { stdio, shell: isWindows }).status === 0
// Standard output is the log of the service.
const announce = (text) => process.stderr.write(`${text}\n`)

if (!isInstalled() && !npm(['ls', '--omit=dev'], 'ignore')) {
  announce('Installing packages')
  if (!npm(['ci', '--omit=dev', '--loglevel=error'], 'inherit')) process.exit(1)
}
if (!isBuiltFrom(hashInputs())) {
  announce(`Building ${artifact}`)
  await import('../../build.mjs')
}

/**
 * Compares the lock file with npm's record of the last complete installation. `npm ls` compares more, but takes half a
 * second: it decides only if this does not.
 */
function isInstalled() {
  const record = join('node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const installed = readPackages(record)
  return Object.entries(readPackages('package-lock.json')).every(([path, wanted]) => {
    if (path === '' || wanted.dev) return true
    const found = installed[path]
    // A package for another platform is not installed.
    if (!found) return wanted.optional || wanted.devOptional
    return found.integrity === wanted.integrity && existsSync(join(path, 'package.json'))
  })
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages
}
