// Tracks statements that time out while they wait for a lock: on a table, or on rows of one project.

export interface StatementKey {
  /** Identifies statements that need the same tables. */
  source: string
  projectId: string
}

export interface BlockedStatements {
  isBlocked(statement: StatementKey): boolean
  markBlocked(statement: StatementKey): void
  /** Call this after a statement has succeeded. */
  clear(statement: StatementKey): void
}

/** A statement that is blocked in this many projects is blocked by a lock on the table. */
const minProjectsForTable = 2

export function trackBlockedStatements(): BlockedStatements {
  const projects = new Map<string, string[]>()

  function isBlocked({ source, projectId }: StatementKey): boolean {
    const projectIds = projects.get(source)
    return projectIds !== undefined && (projectIds.length === minProjectsForTable || projectIds.includes(projectId))
  }

  return {
    isBlocked,
    markBlocked(statement) {
      if (isBlocked(statement)) return
      const projectIds = projects.get(statement.source) ?? []
      projects.set(statement.source, [...projectIds, statement.projectId])
    },
    clear(statement) {
      if (isBlocked(statement)) projects.delete(statement.source)
    },
  }
}
