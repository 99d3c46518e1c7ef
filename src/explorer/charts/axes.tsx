// The lines and labels of a chart's axes.

import { formatShort } from '../text/format.ts'
import type { Scale } from './scale.ts'

interface ValueAxisProps {
  ticks: number[]
  y: Scale
  left: number
  right: number
}

export function ValueAxis({ ticks, y, left, right }: ValueAxisProps) {
  return (
    <g class="axis">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 8} y={y(tick)} dy="0.35em" text-anchor="end">
            {formatShort(tick)}
          </text>
        </g>
      ))}
    </g>
  )
}

interface DayAxisProps {
  ticks: { text: string; x: number }[]
  /** Where the text stands. */
  y: number
  width: number
}

export function DayAxis({ ticks, y, width }: DayAxisProps) {
  return (
    <g class="axis">
      {ticks.map(({ text, x }) => (
        <text key={x} x={within(x, textWidth(text) / 2, width)} y={y} text-anchor="middle">
          {text}
        </text>
      ))}
    </g>
  )
}

/** As near to x as the text fits. */
const within = (x: number, half: number, width: number): number => Math.max(half, Math.min(width - half, x))

const characterWidth = 8

/** Room for the labels of the values. */
export const axisWidth = (ticks: number[]): number =>
  8 + characterWidth * Math.max(...ticks.map((tick) => formatShort(tick).length))

/** About as wide as the text in the small font, even if it is bold. */
export const textWidth = (text: string): number => text.length * 7.2
