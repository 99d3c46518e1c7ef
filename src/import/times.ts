// Reads the dates and times that tools write. A time without a UTC offset stays without one: the import says in which
// time zone it is. The results are in the format of the API, but for such times, which have no offset.

import { isDay, isMoment } from '../api/input/values.ts'
import { InvalidFile } from './invalid.ts'
import { monthOf } from './months.ts'

/** Of dates such as 03/04/2026. Undefined: only those are accepted in which one of the two cannot be a month. */
export type DateOrder = 'dmy' | 'mdy' | undefined

const year = String.raw`(?<year>\d{4}|\d{2})`
const named = String.raw`(?<month>\p{L}{3,}\.?|\d\d?[月월])`
const weekday = String.raw`(?:\p{L}{2,4}\.?,? )?`
// prettier-ignore
const dayPatterns = [
  String.raw`(?<year>\d{4})[-/](?<month>\d\d?)[-/](?<day>\d\d?)`,
  String.raw`(?<day>\d\d?)\.(?<month>\d\d?)\.${year}`,
  String.raw`${weekday}(?<day>\d\d?)(?:[ /-]|\. ?)${named}[ /-]${year}`,
  String.raw`${weekday}${named} (?<day>\d\d?),? ${year}`,
  String.raw`(?<first>\d\d?)[/-](?<other>\d\d?)[/-]${year}`,
]
const half = String.raw`(?<am>a\.?[\s\u00a0\u202f]?m\.?|午前|上午|오전)|(?<pm>p\.?[\s\u00a0\u202f]?m\.?|午後|下午|오후)`
const time = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?:[ \u00a0\u202f]?(?:${half}))?`
const offset = String.raw` ?(?<offset>z|utc|gmt|(?:gmt|utc)?[+-]\d\d:?\d\d)(?: \([^)]*\))?`
const timePattern = new RegExp(`^(?:${time}(?:${offset})?)$`, 'i')
const patterns = dayPatterns.map((day) => new RegExp(`^${day}(?:[T, ]+(?<time>\\d\\d?:.*))?$`, 'iu'))
const numericPattern = new RegExp(`^${dayPatterns.at(-1)}(?!\\d)`)

/** The order that the dates of a column prove, as 05/14/2026 does. */
export function orderIn(texts: readonly string[]): DateOrder {
  const orders = new Set<DateOrder>()
  for (const text of texts) {
    const { first, other } = numericPattern.exec(text.trim())?.groups ?? {}
    if (Number(first) > 12) orders.add('dmy')
    if (Number(other) > 12) orders.add('mdy')
  }
  return orders.size === 1 ? [...orders][0] : undefined
}

/**
 * Returns undefined if the text is no date, 'ambiguous' if it may be two, and 'reversed' if it is one in the other order. A
 * time after it is ignored.
 */
export function readDay(text: string, order: DateOrder): string | undefined {
  return parse(text, order)?.day
}

/** Returns undefined if the text is no time, or what readDay says. */
export function readMoment(text: string, order: DateOrder): string | undefined {
  const found = parse(text, order)
  if (!found || !isDay(found.day)) return found?.day
  if (found.time === undefined) return `${found.day}T00:00:00`
  const clock = readClock(found.time)
  return clock && `${found.day}T${clock}`
}

function parse(text: string, order: DateOrder): { day: string; time: string | undefined } | undefined {
  if (isMoment(text)) return { day: text.slice(0, 10), time: text.slice(11) || undefined }
  // Milliseconds since 1970.
  if (/^\d{13}$/.test(text.trim())) return parse(new Date(Number(text)).toISOString(), order)
  const groups = patterns.map((pattern) => pattern.exec(text.trim())?.groups).find((found) => found)
  if (!groups) return undefined
  const found = groups as Record<string, string | undefined>
  const { time } = found
  const numbers =
    found['first'] === undefined ? undefined : dayAndMonth(Number(found['first']), Number(found['other']), order)
  if (typeof numbers === 'string') return { day: numbers, time }
  const [dayOfMonth, month] = numbers ?? [Number(found['day']), monthOf(found['month']!)]
  const years = found['year']!.length === 2 ? `20${found['year']}` : found['year']!
  const day = `${years}-${pad(month)}-${pad(dayOfMonth)}`
  return isDay(day) ? { day, time } : undefined
}

function dayAndMonth(first: number, other: number, order: DateOrder): [number, number] | 'ambiguous' | 'reversed' {
  const proven = first > 12 ? 'dmy' : other > 12 ? 'mdy' : undefined
  if (order !== undefined && proven !== undefined && proven !== order) return 'reversed'
  const known = order ?? proven
  if (known === undefined && first !== other) return 'ambiguous'
  return known === 'mdy' ? [other, first] : [first, other]
}

const pad = (value: number) => String(value).padStart(2, '0')

/** Returns 15:04:00Z for "3:04 PM UTC". */
export function readClock(text: string): string | undefined {
  const found = timePattern.exec(text.trim())?.groups as Record<string, string | undefined> | undefined
  if (!found) return undefined
  const { minute, second = '00', fraction, am, pm } = found
  const hours = Number(found['hour'])
  const isTwelve = am !== undefined || pm !== undefined
  if (isTwelve && (hours < 1 || hours > 12)) return undefined
  const hour = isTwelve ? (hours % 12) + (pm === undefined ? 0 : 12) : hours
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  return `${pad(hour)}:${minute}:${second}${fraction ? `.${fraction}` : ''}${readOffset(found['offset'])}`
}

function readOffset(offset: string | undefined): string {
  if (offset === undefined) return ''
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(offset) ?? []
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`
}

/** Returns a function that tells the day of a time in a time zone. A text that is no time, or only a day, remains. */
export function dayIn(zone: string): (time: string) => string {
  let format: Intl.DateTimeFormat
  try {
    // Dates in Canada are written like those of the API.
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  } catch {
    // PostgreSQL knows more zones, such as <+03>-03.
    throw new InvalidFile(`with times that need a --timezone with a name such as Europe/Berlin, not "${zone}"`)
  }
  return (time) => (isMoment(time) && time.includes('T') ? format.format(new Date(time)) : time)
}

/** Adds seconds to a time with or without an offset. */
export function addSeconds(moment: string, seconds: number): string {
  const [, local, zone] = /^(.{19})(.*)$/.exec(moment)!
  const fraction = /^\.\d+/.exec(zone!)?.[0] ?? ''
  const end = new Date(Date.parse(`${local}Z`) + seconds * 1_000).toISOString().slice(0, 19)
  return end + fraction + zone!.slice(fraction.length)
}
