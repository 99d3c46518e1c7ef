// The commit that is built, as far as it is known: from git, or from whoever builds without the repository.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const above = fileURLToPath(new URL('../../..', import.meta.url))

/** Undefined without git, and outside of a clone; a repository further up is another one. */
export function commit() {
  if (process.env['WORKGATE_COMMIT']) return process.env['WORKGATE_COMMIT']
  const describe = ['--no-optional-locks', 'describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  const options = {
    cwd: root,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: above },
    stdio: ['ignore', 'pipe', 'ignore'],
  }
  try {
    return execFileSync('git', describe, options).toString().trim()
  } catch {
    return undefined
  }
}
