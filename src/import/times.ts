// Reads the dates and times that tools write. A time without a UTC offset stays without one: the import says in which
// time zone it is. The results are in the format of the API, but for such times, which have no offset.

import { isDay, isMoment } from '../api/input/values.ts'
import { InvalidFile } from './invalid.ts'

/** Of dates such as 03/04/2026. Undefined: only those are accepted in which one of the two cannot be a month. */
export type DateOrder = 'dmy' | 'mdy' | undefined

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const year = String.raw`(?<year>\d{4}|\d{2})`
const named = String.raw`(?<month>[a-z]{3})[a-z]*\.?`
// prettier-ignore
const dayPatterns = [
  String.raw`(?<year>\d{4})[-/](?<month>\d\d?)[-/](?<day>\d\d?)`,
  String.raw`(?<day>\d\d?)\.(?<month>\d\d?)\.${year}`,
  String.raw`(?:[a-z]{3},? )?(?<day>\d\d?)[ /-]${named}[ /-]${year}`,
  String.raw`(?:[a-z]{3},? )?${named} (?<day>\d\d?),? ${year}`,
  String.raw`(?<first>\d\d?)[/-](?<other>\d\d?)[/-]${year}`,
]
const time = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?: ?(?<half>[ap])\.?m\.?)?`
const offset = String.raw` ?(?<offset>z|utc|gmt|(?:gmt|utc)?[+-]\d\d:?\d\d)(?: \([^)]*\))?`
const timePattern = new RegExp(`^(?:${time}(?:${offset})?)$`, 'i')
const patterns = dayPatterns.map((day) => new RegExp(`^${day}(?:[T, ]+(?<time>\\d\\d?:.*))?$`, 'i'))

/** Returns undefined if the text is no date, and 'ambiguous' if it may be two. A time after it is ignored. */
export function readDay(text: string, order: DateOrder): string | undefined {
  return parse(text, order)?.day
}

/** Returns undefined if the text is no time, and 'ambiguous' if it may be two. */
export function readMoment(text: string, order: DateOrder): string | undefined {
  const found = parse(text, order)
  if (!found || found.day === 'ambiguous') return found?.day
  if (found.time === undefined) return `${found.day}T00:00:00`
  const clock = readClock(found.time)
  return clock && `${found.day}T${clock}`
}

function parse(text: string, order: DateOrder): { day: string; time: string | undefined } | undefined {
  if (isMoment(text)) return { day: text.slice(0, 10), time: text.slice(11) || undefined }
  const groups = patterns.map((pattern) => pattern.exec(text.trim())?.groups).find((found) => found)
  if (!groups) return undefined
  const found = groups as Record<string, string | undefined>
  const { time } = found
  if (
    found['first'] !== undefined &&
    order === undefined &&
    Number(found['first']) <= 12 &&
    Number(found['other']) <= 12 &&
    found['first'] !== found['other']
  )
    return { day: 'ambiguous', time }
  const isMonthFirst = order === 'mdy' ? Number(found['first']) <= 12 : Number(found['other']) > 12
  const [month, dayOfMonth] =
    found['first'] === undefined
      ? [monthOf(found['month']!), Number(found['day'])]
      : isMonthFirst
        ? [Number(found['first']), Number(found['other'])]
        : [Number(found['other']), Number(found['first'])]
  const years = found['year']!.length === 2 ? `20${found['year']}` : found['year']!
  const day = `${years}-${pad(month)}-${pad(dayOfMonth)}`
  return isDay(day) ? { day, time } : undefined
}

const monthOf = (name: string) => (/^\d/.test(name) ? Number(name) : months.indexOf(name.toLowerCase()) + 1)
const pad = (value: number) => String(value).padStart(2, '0')

/** Returns 15:04:00Z for "3:04 PM UTC". */
export function readClock(text: string): string | undefined {
  const found = timePattern.exec(text.trim())?.groups as Record<string, string | undefined> | undefined
  if (!found) return undefined
  const { minute, second = '00', fraction, half } = found
  const hours = Number(found['hour'])
  if (half !== undefined && (hours < 1 || hours > 12)) return undefined
  const hour = half === undefined ? hours : (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
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
