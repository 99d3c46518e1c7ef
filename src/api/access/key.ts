// Defines an API key: its identity, scope, operations and rate limit.

import { createHash } from 'node:crypto'
import { everyProject } from '../freshness/freshness.ts'

export const operations = ['create_project', 'create_task', 'complete_task'] as const
export type Operation = (typeof operations)[number]

export const scopeModes = ['selected_projects', 'all_projects'] as const
export type ScopeMode = (typeof scopeModes)[number]

/** The maximum number of selected projects. The database enforces it, too. */
export const maxSelectedProjects = 1_000

export interface StoredKey {
  id: string
  /** The id of the first key in its chain of rotations: all keys of the chain replay each other's writes. */
  firstId: string
  name: string
  scopeMode: ScopeMode
  /** The selected projects; empty for all_projects. */
  projectIds: readonly string[]
  operations: readonly Operation[]
  /** Null means the default of the service. */
  rateLimitPerMinute: number | null
  expiresAt: string | null
  createdAt: string | null
}

/** What a client learns about a project outside the scope of its key, whether or not the project exists. */
export const outOfScope = 'The project is outside the scope of the API key.'

/** The projects that a key can access; null means all. */
export type Reach = readonly string[] | null

export interface Key extends StoredKey {
  reach: Reach
  /** The scope whose version covers all projects that the key can access. Undefined if it selects too many. */
  scope: string | undefined
  /** Digests of what responses depend on: of the projects, and of the whole key. */
  digests: { reach: string; key: string }
  canReach(projectId: string): boolean
}

// Each project adds 7 to 14 µs to a freshness check, and other requests wait for the same batch.
const maxProjectsInScope = 500

/** Computes once what is derived from a key. */
export function createKey(stored: StoredKey): Key {
  const { scopeMode, projectIds } = stored
  const all = scopeMode === 'all_projects'
  const reach = all ? null : projectIds
  const selected = new Set(projectIds)
  const scope = projectIds.length <= maxProjectsInScope ? projectIds.join(',') : undefined
  return {
    ...stored,
    reach,
    scope: all ? everyProject : scope,
    digests: { reach: digestOf(reach), key: digestOf(stored) },
    canReach: (projectId) => all || selected.has(projectId),
  }
}

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

/** The keys that the operator sets in API_KEYS. They exist only in memory, never in the database. */
export interface EnvironmentKeys {
  /** Finds the key with this SHA-256, expired or not. */
  find(digest: string): Key | undefined
  size: number
}

export function defaultOperations(scopeMode: ScopeMode): readonly Operation[] {
  return scopeMode === 'all_projects' ? operations : ['create_task', 'complete_task']
}
