// Finds the scope whose version confirms a response: the project in the path, or the projects that the key can access.
// A version that changed with other projects would reveal writes in them, because cached responses are faster.

import { everyProject } from '../freshness/freshness.ts'
import { isUuid } from '../input/values.ts'
import type { Key } from './key.ts'

// Each project adds 7 to 14 µs to a freshness check, and other requests wait for the same batch.
const maxProjects = 500

const scopes = new WeakMap<Key['projectIds'], string>()

/** Returns undefined if no version confirms the response: the key is not known yet or selects too many projects. */
export function versionScopeOf(projectId: string | null, key: Key | undefined): string | undefined {
  if (projectId !== null && isUuid(projectId)) return projectId
  if (key?.scopeMode === 'all_projects') return everyProject
  return key && key.projectIds.length <= maxProjects ? joined(key.projectIds) : undefined
}

function joined(projectIds: Key['projectIds']): string {
  const scope = scopes.get(projectIds) ?? projectIds.join(',')
  scopes.set(projectIds, scope)
  return scope
}
