// Who is who in the world.

const id = (kind: string, n: number) => `${kind}0000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const ids = (kind: string, count: number) => Array.from({ length: count }, (_, n) => id(kind, n))

export const projectIds = ids('a', 20)
/** Those that a key for some projects reaches. */
export const someProjectIds = projectIds.slice(0, 10)
/** Projects that come and go. */
export const sideIds = ids('c', 3)
/** A project with nothing in it, and one that changes its id now and then. */
export const bareId = id('c', 10)
export const movingId = id('c', 11)
export const movedId = id('c', 12)
/** The first is a member, a watcher and of the team; the second has spent the time; the third is assigned. */
export const userIds = ids('1', 3)
/** A member now and then. */
export const guestId = id('1', 3)
export const teamId = id('2', 0)

/** Of rows beside those that bear the id of their project. */
export const historyTask = (project: string) => project.replace(/^./, 'b')
/** Of a second board, stage and comment. */
export const secondOf = (project: string) => project.replace(/^./, 'e')
export const doneTask = (project: string) => project.replace(/^./, 'd')
