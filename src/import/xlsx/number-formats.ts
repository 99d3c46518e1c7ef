// Tells which number formats of a workbook show dates and times.

/** A day, with or without a time; a time of day; a duration, which can have more than 24 hours. */
export type TimeFormat = 'date' | 'time' | 'duration'

// ECMA-376, part 1, 18.8.30. Those from 27 to 36 and from 50 to 58 are dates in Chinese, Japanese, Korean and Thai.
const builtIn: readonly [from: number, to: number, format: TimeFormat][] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [27, 31, 'date'],
  [32, 33, 'time'],
  [34, 36, 'date'],
  [45, 47, 'duration'],
  [50, 58, 'date'],
]

export const builtInFormat = (id: number): TimeFormat | undefined =>
  builtIn.find(([from, to]) => id >= from && id <= to)?.[2]

/** Reads the code of a format, such as dd/mm/yyyy. The first of its sections is for positive numbers. */
export function formatOf(code: string): TimeFormat | undefined {
  // Quoted text, escaped characters, and those that are only as wide or repeated.
  const bare = code.replaceAll(/"[^"]*"|[\\_*]./gs, '')
  const [first = ''] = bare.split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return 'duration'
  // Colors, conditions and languages.
  const letters = first.replaceAll(/\[[^\]]*\]/g, '')
  if (/[dy]/i.test(letters)) return 'date'
  if (/[hs]/i.test(letters)) return 'time'
  return /m/i.test(letters) ? 'date' : undefined
}
