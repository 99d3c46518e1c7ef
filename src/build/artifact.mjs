// Writes dist/workgate.mjs, and tells whether it was built from the current files.

import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { readCommit } from './commit.mjs'

export const artifact = join('dist', 'workgate.mjs')

/** Everything that the artifact is built from. The lock file stands for the packages. */
const inputs = ['src', 'sql', 'build.mjs', 'package.json', 'package-lock.json']

/** A hash of the contents: times of files change with every checkout, and may not change with the contents. */
export function hashInputs() {
  const hash = createHash('sha256').update(readCommit() ?? '')
  for (const path of inputs.flatMap(listFiles)) {
    const contents = fs.readFileSync(path)
    hash.update(`\n${path} ${contents.length}\n`).update(contents)
  }
  return hash.digest('hex')
}

function listFiles(path) {
  if (!fs.statSync(path).isDirectory()) return [path]
  const entries = fs.readdirSync(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort()
}

/** The last line of the artifact, so that a file that was cut off does not count as built. */
const lastLine = (inputsHash) => `\n// Built from ${inputsHash}\n`

export function isBuiltFrom(inputsHash) {
  return fs.existsSync(artifact) && fs.readFileSync(artifact, 'utf8').endsWith(lastLine(inputsHash))
}

/** Replaces the artifact at once: if the build is interrupted, the earlier one remains. */
export function writeArtifact(code, inputsHash) {
  fs.mkdirSync('dist', { recursive: true })
  const temporary = `${artifact}.new-${process.pid}`
  try {
    fs.writeFileSync(temporary, code + lastLine(inputsHash))
    fs.renameSync(temporary, artifact)
  } finally {
    fs.rmSync(temporary, { force: true })
  }
}
