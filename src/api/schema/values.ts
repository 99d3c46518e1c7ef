// What ids, days and moments look like, and what things may be, wherever it comes in.

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return uuidForm.test(text)
}

/** A day that the calendar has. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The current date in UTC by our own clock. Answers go by that of the database. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

const momentForm =
  /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?$/

export function isMoment(text: string): boolean {
  const [, day] = momentForm.exec(text) ?? []
  return day !== undefined && isDay(day)
}

const belowMs = /(\.\d{3})\d*[1-9]\d*/

/**
 * A moment for PostgreSQL, which would round to microseconds. Rows have milliseconds: between two of them one place is as
 * good as another.
 */
export function exactMoment(moment: string): string {
  return moment.includes('T') ? moment.replace(belowMs, (_, ms: string) => `${ms}5`) : `${moment}T00:00:00Z`
}

/** The first millisecond that is not before a moment. Date knows milliseconds, and cuts off what is finer. */
export function firstMsFrom(moment: string): number {
  return Date.parse(moment) + (belowMs.test(moment) ? 1 : 0)
}

/** The first day whose start in UTC is not before a moment. */
export function firstDayFrom(moment: string): string {
  if (!moment.includes('T')) return moment
  const dayMs = 86_400_000
  const day = new Date(Math.ceil(firstMsFrom(moment) / dayMs) * dayMs).toISOString().slice(0, 10)
  // An offset may lead out of the years that have four digits.
  if (day.startsWith('+')) return 'infinity'
  return isDay(day) ? day : '-infinity'
}

export const projectStatuses = ['active', 'archived'] as const
export const memberRoles = ['owner', 'admin', 'member', 'viewer'] as const
export const stageCategories = ['backlog', 'active', 'done'] as const
export const taskStates = ['open', 'completed', 'cancelled'] as const
/** In their order, as the database has it. */
export const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const
