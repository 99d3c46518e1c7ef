// The range and the time zone of all panels, from the query of the address.

import { addDays, today, weekOf } from '../text/format.ts'
import { isZone, ownZone } from '../text/zones.ts'

export interface Range {
  weeks: number
  timezone: string
  /** A Monday. */
  from: string
  /** Tomorrow, which is not included. */
  to: string
}

export const lengths: [weeks: number, title: string][] = [
  [4, '4 weeks'],
  [12, '12 weeks'],
  [26, '6 months'],
  [52, 'A year'],
]

const usual = 12

export function rangeOf(query: URLSearchParams): Range {
  const asked = Number(query.get('weeks'))
  const weeks = lengths.some(([weeks]) => weeks === asked) ? asked : usual
  const name = query.get('timezone') ?? ''
  const timezone = name !== '' && isZone(name) ? name : ownZone()
  const day = today(timezone)
  return { weeks, timezone, from: addDays(weekOf(day), 7 - 7 * weeks), to: addDays(day, 1) }
}
