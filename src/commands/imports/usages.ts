// The usages of workgate imports.

/** By action. */
export const importsUsages = {
  list: 'workgate imports [list] [--json]',
  undo: 'workgate imports undo ID [--dry-run] [--yes]',
} as const

export const importsUsage = Object.values(importsUsages).join('\n')
