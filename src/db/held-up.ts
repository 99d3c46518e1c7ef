// Which statements wait for locks in vain: for a table that somebody has locked, or for rows of one project.

export interface Wanted {
  text: string
  projectId: string
}

export interface HeldUp {
  is(wanted: Wanted): boolean
  note(wanted: Wanted): void
  /** It went through. */
  clear(wanted: Wanted): void
}

/** In so many projects at once it is the table. */
const manyProjects = 2

export function rememberHeldUp(): HeldUp {
  const projects = new Map<string, string[]>()

  function is({ text, projectId }: Wanted): boolean {
    const held = projects.get(text)
    return held !== undefined && (held.length === manyProjects || held.includes(projectId))
  }

  return {
    is,
    note(wanted) {
      if (is(wanted)) return
      const held = projects.get(wanted.text) ?? []
      projects.set(wanted.text, [...held, wanted.projectId])
    },
    clear(wanted) {
      if (is(wanted)) projects.delete(wanted.text)
    },
  }
}
