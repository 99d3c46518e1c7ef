// Reads the commit to build from WORKGATE_COMMIT (for builds without the repository) or from git.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const parent = fileURLToPath(new URL('../../..', import.meta.url))

/** Returns undefined without git or outside of a clone. A repository in a parent folder is ignored. */
export function readCommit() {
  if (process.env['WORKGATE_COMMIT']) return process.env['WORKGATE_COMMIT']
  const describe = ['--no-optional-locks', 'describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  const options = {
    cwd: root,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: parent },
    stdio: ['ignore', 'pipe', 'ignore'],
  }
  try {
    return execFileSync('git', describe, options).toString().trim()
  } catch {
    return undefined
  }
}
