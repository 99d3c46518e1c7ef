// Defines an API key: its identity, scope, operations and rate limit.

export const operations = ['create_project', 'create_task', 'complete_task'] as const
export type Operation = (typeof operations)[number]

export const scopeModes = ['selected_projects', 'all_projects'] as const
export type ScopeMode = (typeof scopeModes)[number]

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

export function canReach(key: Key, projectId: string): boolean {
  return key.scopeMode === 'all_projects' || key.projectIds.includes(projectId)
}

export function defaultOperations(scopeMode: ScopeMode): readonly Operation[] {
  return scopeMode === 'all_projects' ? operations : ['create_task', 'complete_task']
}
