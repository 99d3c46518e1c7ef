// The ids of the rows that the checker writes and reads.

const id = (kind: string, n: number) => `${kind}0000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const ids = (kind: string, count: number) => Array.from({ length: count }, (_, n) => id(kind, n))

export const projectIds = ids('a', 20)
/** Two projects that swap their keys repeatedly. At first, the keys are HERE and AWAY. */
export const [hereId, awayId] = projectIds as [string, string]
/** The projects that the key `some` can access. */
export const someProjectIds = projectIds.slice(0, 10)
/** Projects that are created and deleted repeatedly. */
export const transientIds = ids('c', 3)
export const transientKey = (id: string) => `S${id.slice(-3)}`
/** A project without other rows, and one whose id changes repeatedly, between movingId and movedId. */
export const bareId = id('c', 10)
export const movingId = id('c', 11)
export const movedId = id('c', 12)
/** Members: the first is also a watcher and in the team, the second has the time entries, the third is the assignee. */
export const userIds = ids('1', 3)
/** A member that is added and removed repeatedly. */
export const guestId = id('1', 3)
export const teamId = id('2', 0)

/** Most rows have the id of their project. The following functions return the ids of the others. */
export const historyTask = (project: string) => project.replace(/^./, 'b')
export const doneTask = (project: string) => project.replace(/^./, 'd')
