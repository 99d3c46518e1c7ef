// Writes the number of a cell as text: a date or time as its format means it, any other number without a format.

import type { TimeFormat } from './number-formats.ts'

const secondsPerDay = 86_400
const lastDay = 2_958_465
/** Day 0 of the system that begins in 1904, in the one that begins in 1900. */
const daysTo1904 = 1_462
/** Excel keeps this day, which did not exist, as Lotus 1-2-3 did. */
const leapDay1900 = 60

/** Undefined if Excel has no such date or time. */
export function timeText(serial: number, format: TimeFormat, is1904: boolean): string | undefined {
  const total = Math.round(serial * secondsPerDay)
  if (!(total >= 0)) return undefined
  const seconds = total % secondsPerDay
  const days = (total - seconds) / secondsPerDay
  if (format === 'duration') return clock(total)
  if (format === 'time' && days === 0) return clock(seconds)
  const day = dayText(is1904 ? days + daysTo1904 : days)
  return day && (seconds === 0 ? day : `${day}T${clock(seconds)}`)
}

function dayText(days: number): string | undefined {
  if (days > lastDay) return undefined
  // As Excel shows them. Nothing accepts them as dates.
  if (days === 0) return '1900-01-00'
  if (days === leapDay1900) return '1900-02-29'
  return new Date(Date.UTC(1899, 11, days < leapDay1900 ? 31 : 30) + days * secondsPerDay * 1_000)
    .toISOString()
    .slice(0, 10)
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

const maxExactDigits = 1e15

/**
 * The shortest text of the number. Excel keeps 15 digits, so a longer number remains as it is in the file: all its digits,
 * or 1.23E+17, which is not read as a number. Undefined if the text is no number.
 */
export function numberText(stored: string): string | undefined {
  const number = Number(stored)
  if (stored.trim() === '' || !Number.isFinite(number)) return undefined
  if (Math.abs(number) >= maxExactDigits) return stored.trim()
  const text = String(number)
  return text.includes('e') ? number.toFixed(20) : text
}
