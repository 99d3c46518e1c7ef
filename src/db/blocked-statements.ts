// Which statements wait for locks in vain: for a table that somebody has locked, or for rows of one project.

export interface StatementKey {
  text: string
  projectId: string
}

export interface BlockedStatements {
  is(statement: StatementKey): boolean
  note(statement: StatementKey): void
  /** It went through. */
  clear(statement: StatementKey): void
}

/** In so many projects at once it is the table. */
const manyProjects = 2

export function trackBlockedStatements(): BlockedStatements {
  const projects = new Map<string, string[]>()

  function is({ text, projectId }: StatementKey): boolean {
    const held = projects.get(text)
    return held !== undefined && (held.length === manyProjects || held.includes(projectId))
  }

  return {
    is,
    note(statement) {
      if (is(statement)) return
      const held = projects.get(statement.text) ?? []
      projects.set(statement.text, [...held, statement.projectId])
    },
    clear(statement) {
      if (is(statement)) projects.delete(statement.text)
    },
  }
}
