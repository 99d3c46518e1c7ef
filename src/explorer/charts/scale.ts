// Maps numbers and days to pixels, and finds round places for the marks of axes.

import { addDays, daysBetween, formatDay, formatMonth, weekOf } from '../text/format.ts'

export type Scale = (value: number) => number

/** From `low` at `start` to `high` at `end`. */
export const createScale =
  (low: number, high: number, start: number, end: number): Scale =>
  (value) =>
    start + ((value - low) / (high - low || 1)) * (end - start)

/** The smallest of 1, 2, 5, 10, 20, 50 … with at most this number of steps up to `size`. */
export function roundStep(size: number, steps: number): number {
  const least = Math.max(1, size / steps)
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5].map((n) => n * power).find((step) => step >= least) ?? 10 * power
}

/** The multiples of the step from `low`, which is one of them, to `high`. */
export const ticksBetween = (low: number, high: number, step: number): number[] =>
  Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, n) => low + n * step)

interface DayTick {
  day: string
  text: string
}

const tickWidth = 72

/** Mondays, or the first days of months if the range is long. */
export function dayTicks(from: string, to: string, width: number): DayTick[] {
  const length = daysBetween(from, to)
  const most = Math.max(1, Math.floor(width / tickWidth))
  return length / 28 <= most && length < 120 ? mondays(from, to, length, most) : firsts(from, to, length, most)
}

function mondays(from: string, to: string, length: number, most: number): DayTick[] {
  const step = 7 * ([1, 2, 4].find((weeks) => length / 7 / weeks <= most) ?? 4)
  const first = weekOf(addDays(from, 6))
  const count = Math.max(0, Math.floor(daysBetween(first, to) / step) + 1)
  return Array.from({ length: count }, (_, n) => addDays(first, n * step)).map((day) => ({ day, text: formatDay(day) }))
}

function firsts(from: string, to: string, length: number, most: number): DayTick[] {
  const step = [1, 2, 3, 6, 12].find((months) => length / 30 / months <= most) ?? 12
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))]
  const count = Math.ceil(length / 28) + 1
  return Array.from({ length: count }, (_, n) => new Date(Date.UTC(year, month + n)))
    .filter((at) => at.getUTCMonth() % step === 0)
    .map((at) => at.toISOString().slice(0, 10))
    .filter((day) => day <= to)
    .map((day) => ({ day, text: formatMonth(day) }))
}
