// Validates ids, encoded bytes, days and moments, and defines the enumerations that requests, settings and commands share.

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** The UUID with these 16 bytes. */
export const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** base64url with ~ for _, because with _ it can look like a key, which must not be in a URL. */
export function encodeBytes(bytes: Buffer): string {
  return bytes.toString('base64url').replaceAll('_', '~')
}

/** Returns undefined for text that does not encode back to itself: Node's decoder ignores invalid characters. */
export function decodeBytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text.replaceAll('~', '_'), 'base64url')
  return encodeBytes(bytes) === text ? bytes : undefined
}

/** True if the text is an existing calendar day. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The current date in UTC by the local clock. Responses use the clock of the database. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** A date, or a time with a UTC offset. The day may not exist. */
export const momentPattern =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?$/

export function isMoment(text: string): boolean {
  const [, day] = momentPattern.exec(text) ?? []
  return day !== undefined && isDay(day)
}

const subMsDigits = /(\.\d{3})\d*[1-9]\d*/

/**
 * Formats a moment for PostgreSQL, which would round it to microseconds. Stored times have millisecond precision, so
 * all values between two milliseconds compare the same.
 */
export function exactMoment(moment: string): string {
  return moment.includes('T') ? moment.replace(subMsDigits, (_, ms: string) => `${ms}5`) : `${moment}T00:00:00Z`
}

/** Returns the first millisecond at or after a moment. Date.parse truncates to milliseconds. */
export function firstMsFrom(moment: string): number {
  return Date.parse(moment) + (subMsDigits.test(moment) ? 1 : 0)
}

/** Returns the first day that starts (in UTC) at or after a moment. */
export function firstDayFrom(moment: string): string {
  if (!moment.includes('T')) return moment
  const dayMs = 86_400_000
  const day = new Date(Math.ceil(firstMsFrom(moment) / dayMs) * dayMs).toISOString().slice(0, 10)
  // In UTC, the year may no longer have four digits.
  if (day.startsWith('+')) return 'infinity'
  return isDay(day) ? day : '-infinity'
}

/** Limits for a task that is created or imported. */
export const [maxTags, maxWatchers, maxAssignees] = [20, 50, 50]

export const projectStatuses = ['active', 'archived'] as const
export const memberRoles = ['owner', 'admin', 'member', 'viewer'] as const
export const stageCategories = ['backlog', 'active', 'done'] as const
export const taskStates = ['open', 'completed', 'cancelled'] as const
/** Of own fields. */
export const fieldTypes = ['text', 'number', 'boolean', 'date', 'list'] as const
export const textFormats = ['text', 'markdown', 'html', 'jira'] as const
/** In ascending order, as in the database. */
export const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const
