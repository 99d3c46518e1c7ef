// Numbers, days, times and lists. They are English like the sentences around them, whatever the language of the browser is.

/** Days before months, and hours from 0 to 24. */
const language = 'en-GB'

const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
const exactNumbers = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })
const percents = new Intl.NumberFormat(language, { style: 'percent' })
const rates = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
const hours = new Intl.NumberFormat(language, {
  style: 'unit',
  unit: 'hour',
  unitDisplay: 'narrow',
  maximumFractionDigits: 1,
})
const wholeHours = new Intl.NumberFormat(language, {
  style: 'unit',
  unit: 'hour',
  unitDisplay: 'narrow',
  maximumFractionDigits: 0,
})
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
// A day is the same day in every time zone.
const days = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const shortDays = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const longDays = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' })
const longDaysOfYears = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
const months = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' })
const zonedMoments = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})
const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })

export const formatNumber = (value: number): string => numbers.format(value)

/** An own field has up to four decimals, of which sums show two. */
export const formatExactly = (value: number): string => exactNumbers.format(value)

export const formatMoment = (at: string): string => moments.format(new Date(at))

/** Such as "28 November 2026 at 14:05 GMT+1". */
export const formatZonedMoment = (at: number): string => zonedMoments.format(at)

/** A mean, such as 14.4 per week. */
export const formatRate = (value: number): string => rates.format(value)

/** For axes: 12,000 is 12k. */
export const formatShort = (value: number): string => (value < 10_000 ? numbers : compact).format(value)

/** 0.996 is 100 %: a part of a whole, which says nothing about what is left. */
export const formatShare = (ratio: number): string => percents.format(ratio)

/** 0.996 is 99 %: 100 % means that everything is done. */
export const formatProgress = (ratio: number): string => percents.format(Math.floor(ratio * 100) / 100)

export const formatHours = (seconds: number): string => (seconds < 36_000 ? hours : wholeHours).format(seconds / 3_600)

/** True for days of the calendar, such as "2026-11-21". */
export function isDay(text: string): boolean {
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : '')
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

const isThisYear = (day: string) => day.slice(0, 4) === today().slice(0, 4)

/** Without the year, if it is the present one. */
export const formatDay = (day: string): string => (isThisYear(day) ? shortDays : days).format(new Date(day))

export const formatDays = (from: string, to: string): string =>
  (isThisYear(from) && isThisYear(to) ? shortDays : days).formatRange(new Date(from), new Date(to))

/** With the year, for paper. */
export const formatPeriod = (from: string, to: string): string =>
  longDaysOfYears.formatRange(new Date(from), new Date(to))

/** For sentences: "31 December". */
export const formatLongDay = (day: string): string =>
  (isThisYear(day) ? longDays : longDaysOfYears).format(new Date(day))

/** For sentences after "between": "12 and 20 December". */
export function formatBetween(from: string, to: string): string {
  const format = isThisYear(from) && isThisYear(to) ? longDays : longDaysOfYears
  if (from.slice(0, 7) !== to.slice(0, 7)) return `${format.format(new Date(from))} and ${format.format(new Date(to))}`
  const parts = format.formatRangeToParts(new Date(from), new Date(to))
  const end = parts.findIndex(({ source }) => source === 'endRange')
  const join = (some: Intl.DateTimeRangeFormatPart[]) => some.map(({ value }) => value).join('')
  return `${join(parts.slice(0, end - 1))} and ${join(parts.slice(end))}`
}

/** January is the year, for axes. */
export const formatMonth = (day: string): string =>
  day.slice(5, 7) === '01' ? day.slice(0, 4) : months.format(new Date(day))

/** A bound of a filter. A time at which a day begins here is that day, and anything else stays as it is. */
export function formatBound(bound: string): string {
  const at = new Date(bound)
  if (Number.isNaN(at.getTime())) return bound
  if (!bound.includes('T')) return formatDay(bound)
  const isMidnight = at.getHours() + at.getMinutes() + at.getSeconds() === 0
  return isMidnight ? formatDay(at.toLocaleDateString('sv')) : formatMoment(bound)
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** Such as "1.2 MB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1_000 ** power
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: sizes[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}

export const today = (timezone = 'UTC'): string => new Date().toLocaleDateString('sv', { timeZone: timezone })

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** The Monday of the week. */
export const weekOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

const units: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function formatAgo(at: string): string {
  const seconds = (Date.parse(at) - Date.now()) / 1_000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return relative.format(unit === 'second' ? 0 : Math.trunc(seconds / size), unit)
}

/** The day, if it is a week ago or longer: "last month" says too little in a list. */
export const formatWhen = (at: string): string =>
  Date.now() - Date.parse(at) < 604_800_000 ? formatAgo(at) : formatDay(new Date(at).toLocaleDateString('sv'))

/** Such as "3 days": the largest unit that has at least one. */
export function formatDuration(seconds: number): string {
  const [unit, size] = units.slice(3).find(([, size]) => seconds >= size) ?? ['second', 1]
  const value = seconds / size
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}

/** One form for one thing, and the other for any other number of them: count(1, 'task', 'tasks'). */
export const count = (n: number, one: string, many: string): string => {
  const number = formatNumber(n)
  return `${number} ${number === '1' ? one : many}`
}

const alternatives = new Intl.ListFormat(language, { type: 'disjunction' })

/** Such as "open or completed". */
export const formatAny = (values: string[]): string => alternatives.format(values)

const conjunctions = new Intl.ListFormat(language)

/** Such as "read, create tasks and complete tasks". */
export const formatAll = (values: string[]): string => conjunctions.format(values)

const names = new Intl.Collator(language)

/** The order of names in a list. */
export const compareNames = (a: string, b: string): number => names.compare(a, b)
