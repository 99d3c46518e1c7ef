// The usages of workgate people.

/** By action. */
export const peopleUsages = {
  list: 'workgate people [list] [--duplicates] [--json]',
  merge: 'workgate people merge KEEP OTHER… [--yes]',
} as const

export const peopleUsage = Object.values(peopleUsages).join('\n')
