// Days of a time zone.

/** UTC, if the browser does not know where it is. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'

/** False for names that the browser does not know. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The time at which a day begins in the zone, for the filters of lists. */
export function startOfDay(day: string, timezone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // The offset can differ before and after a change of the clocks, so it is looked up again at the result.
  let at = midnight
  for (let n = 0; n < 2; n++) at = midnight - offsetAt(at, timezone)
  return new Date(at).toISOString()
}

/** In milliseconds, positive east of Greenwich. */
function offsetAt(at: number, timezone: string): number {
  const local = new Date(at).toLocaleString('sv', { timeZone: timezone })
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(at / 1_000) * 1_000
}
