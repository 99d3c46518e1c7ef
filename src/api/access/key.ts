// Defines an API key: its identity, scope, operations and rate limit.

export const operations = ['create_project', 'create_task', 'complete_task'] as const
export type Operation = (typeof operations)[number]

export const scopeModes = ['selected_projects', 'all_projects'] as const
export type ScopeMode = (typeof scopeModes)[number]

/** The maximum number of selected projects. The database enforces it, too. */
export const maxSelectedProjects = 1_000

export interface Key {
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

// The selection of a key is the same object as long as its record is unchanged.
const selections = new WeakMap<Key['projectIds'], ReadonlySet<string>>()

export function canReach({ scopeMode, projectIds }: Key, projectId: string): boolean {
  if (scopeMode === 'all_projects') return true
  const selection = selections.get(projectIds) ?? new Set(projectIds)
  selections.set(projectIds, selection)
  return selection.has(projectId)
}

/** The keys that the operator sets in API_KEYS. They exist only in memory, never in the database. */
export interface EnvironmentKeys {
  /** Finds the key with this SHA-256, expired or not. */
  find(digest: string): Key | undefined
  size: number
}

export function defaultOperations(scopeMode: ScopeMode): readonly Operation[] {
  return scopeMode === 'all_projects' ? operations : ['create_task', 'complete_task']
}
