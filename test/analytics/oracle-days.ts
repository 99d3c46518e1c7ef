// Computes the days of a time zone with Intl, to check the time zones of the database as well. A date stands for its
// day. A day starts at its first moment and ends where the next one starts, so a day that a zone skipped has no length.

const dayMs = 86_400_000
const quarterMs = 900_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local time of the zone at a moment, as if it were UTC. */
function clockAt(zone: string, moment: number): number {
  if (!formats.has(zone)) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
    formats.set(
      zone,
      new Intl.DateTimeFormat('en-US', { ...parts, second: 'numeric', timeZone: zone, hourCycle: 'h23' }),
    )
  }
  const [month, day, year, hour, minute, second] = formats.get(zone)!.format(moment).match(/\d+/g)!.map(Number)
  return Date.UTC(year!, month! - 1, day, hour, minute, second)
}

const offsetAt = (zone: string, moment: number) => clockAt(zone, moment) - moment
export const dateOf = (utc: number) => new Date(utc).toISOString().slice(0, 10)
export const addDays = (date: string, days: number) => dateOf(Date.parse(date) + days * dayMs)
export const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMs
export const today = () => dateOf(Date.now())
export const dateIn = (zone: string, moment: number) => dateOf(clockAt(zone, moment))

const starts = new Map<string, number>()

/** The first moment of the day. */
export function startOf(zone: string, date: string): number {
  const name = `${zone} ${date}`
  if (!starts.has(name)) starts.set(name, findStart(zone, date))
  return starts.get(name)!
}

function findStart(zone: string, date: string): number {
  const utc = Date.parse(date)
  const offset = offsetAt(zone, utc - dayMs)
  if (offset === offsetAt(zone, utc + dayMs)) return utc - offset
  // The clocks change near this day: finds the first moment with this date, or a later one if the zone skipped the day.
  let after = utc - dayMs
  while (dateIn(zone, after) < date) after += quarterMs
  let before = after - quarterMs
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dateIn(zone, middle) < date) before = middle
    else after = middle
  }
  return after
}

export type Interval = 'day' | 'week' | 'month'

/** True for the dates at which a bucket starts, besides the first of the range: Mondays, firsts of months. */
const begins: Record<Interval, (date: string) => boolean> = {
  day: () => true,
  week: (date) => new Date(date).getUTCDay() === 1,
  month: (date) => date.endsWith('-01'),
}

export interface Bucket {
  start: string
  end: string
}

export function bucketsOf(from: string, to: string, interval: Interval): Bucket[] {
  const buckets: Bucket[] = []
  let start = from
  for (let end = addDays(from, 1); end <= to; end = addDays(end, 1)) {
    if (end !== to && !begins[interval](end)) continue
    buckets.push({ start, end })
    start = end
  }
  return buckets
}

/** The name of a row in the time report: 2026-11-21, 2026-W47, 2026-11. */
export function nameOf(date: string, interval: Interval): string {
  if (interval === 'day') return date
  if (interval === 'month') return date.slice(0, 7)
  // The week belongs to the year of its Thursday.
  const weekday = (new Date(date).getUTCDay() + 6) % 7
  const thursday = addDays(date, 3 - weekday)
  const year = thursday.slice(0, 4)
  const week = 1 + Math.floor(daysBetween(`${year}-01-01`, thursday) / 7)
  return `${year}-W${String(week).padStart(2, '0')}`
}

export interface Event {
  at: number
  units: number
}

/** Returns the sum of the events before each of the limits, which must be in ascending order. */
export function sumBefore(events: Event[], limits: number[]): number[] {
  const sorted = events.toSorted((a, b) => a.at - b.at)
  let n = 0
  let sum = 0
  return limits.map((limit) => {
    while (n < sorted.length && sorted[n]!.at < limit) sum += sorted[n++]!.units
    return sum
  })
}
