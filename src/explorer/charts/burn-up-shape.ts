// The places of the parts of a burn-up chart, in pixels.

import type { Progress } from '../api/types.ts'
import { addDays, daysBetween } from '../text/format.ts'
import { axisWidth } from './axes.tsx'
import { createScale, roundStep, ticksBetween, type Scale } from './scale.ts'

/** The numbers of tasks, or sums, at the beginning of a day. */
interface Point {
  day: string
  scope: number
  done: number
}

export interface BurnUpShape {
  points: Point[]
  width: number
  height: number
  left: number
  right: number
  bottom: number
  ticks: number[]
  /** The last day of the axis. */
  until: string
  x(day: string): number
  y: Scale
}

const top = 28
const bottomRoom = 24
const nearDays = 84
/** Room for the labels of the last day and of the forecast. */
const [labelWidth, futureWidth] = [80, 136]

export function shapeBurnUp(progress: Progress, dueDate: string | null, width: number): BurnUpShape {
  const points = pointsOf(progress)
  const height = width < 480 ? 240 : 296
  const bottom = height - bottomRoom
  const highest = Math.max(1, ...points.map(({ scope, done }) => Math.max(scope, done)))
  const lowest = Math.min(...points.map(({ scope, done }) => Math.min(scope, done)))
  // If most is done from the beginning, the axis begins there, so that the rest can be seen. Sums can be negative.
  const isCut = lowest < 0 || (lowest > highest / 2 && lowest < highest)
  const step = roundStep(highest - (isCut ? lowest : 0), 5)
  const base = isCut ? Math.floor(lowest / step) * step : 0
  const ticks = ticksBetween(base, highest, step)
  const left = axisWidth(ticks)
  const right = width - 16
  const until = lastDay(progress, dueDate, right - left)
  const days = createScale(0, daysBetween(progress.from, until), left, right)
  return {
    points,
    width,
    height,
    left,
    right,
    bottom,
    ticks,
    until,
    x: (day) => days(daysBetween(progress.from, day)),
    y: createScale(base, highest, bottom, top),
  }
}

/** The beginning of the range, and the end of every interval. */
function pointsOf({ from, series }: Progress): Point[] {
  const { scope, created, cancelled, done, completed } = series[0]!
  const first = { day: from, scope: scope - created + cancelled, done: done - completed }
  return [first, ...series.map(({ end, scope, done }) => ({ day: end, scope, done }))]
}

/** The forecast and the due date are shown if the past still has a third of the chart, or if they are near. */
function lastDay({ from, to, forecast }: Progress, dueDate: string | null, width: number): string {
  const past = daysBetween(from, to)
  const furthest = addDays(to, Math.max(2 * past, nearDays))
  const ends = [forecast?.p50Date, forecast?.p85Date, dueDate].filter((day) => typeof day === 'string')
  const wanted = ends.filter((day) => day < furthest).map((day) => addDays(day, 1))
  if (forecast && (forecast.p85Date ?? furthest) >= furthest) wanted.push(furthest)
  const room = forecast ? futureWidth : labelWidth
  wanted.push(addDays(to, Math.ceil((past * room) / (width - room))))
  return [to, ...wanted].reduce((last, day) => (day > last ? day : last))
}
