// Describes the contents of a backup in a few words.

const shown = { projects: 'project', tasks: 'task', users: 'user', api_keys: 'API key' }

/** Such as "2 projects, 1,204 tasks, 1 user and 3 API keys". */
export function describeRows(rows: Readonly<Record<string, number>>): string {
  const parts = Object.entries(shown).map(([table, noun]) => {
    const count = rows[table] ?? 0
    return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
  })
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
