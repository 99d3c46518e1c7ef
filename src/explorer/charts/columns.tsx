// Columns for every week: several side by side, and each of several parts on top of each other.

import { useState } from 'preact/hooks'
import { DayAxis, ValueAxis, axisWidth } from './axes.tsx'
import { createScale, dayTicks, roundStep, ticksBetween, type Scale } from './scale.ts'
import { useWidth } from './use-width.ts'

interface Part {
  /** The class that colours it. */
  kind: string
  value: number
}

export interface Column {
  parts: Part[]
  /** The list behind it, and its number in words. */
  link?: { href: string; text: string }
}

export interface Week {
  start: string
  columns: Column[]
  /** It is not over, so it may be lower than the others. */
  isPartial: boolean
  /** Its numbers in words. */
  text: string
}

interface ColumnsProps {
  weeks: Week[]
  /** The day after the last one. */
  to: string
  /** For screen readers. */
  label: string
}

const height = 168
const top = 8
const bottom = height - 24

/** The keyboard reaches the links in the table. */
export function Columns({ weeks, to, label }: ColumnsProps) {
  const [box, width] = useWidth<HTMLDivElement>()
  const [shown, show] = useState<string>()
  const highest = Math.max(1, ...weeks.flatMap(({ columns }) => columns.map(total)))
  const ticks = ticksBetween(0, highest, roundStep(highest, 4))
  const left = axisWidth(ticks)
  const slot = (Math.max(240, width) - left) / weeks.length
  const y = createScale(0, highest, bottom, top)
  const marks = dayTicks(weeks[0]!.start, to, width - left).map(({ day, text }) => {
    const n = weeks.findLastIndex(({ start }) => start <= day)
    return { text, x: left + (n + 0.5) * slot }
  })
  return (
    <div class="chart" ref={box}>
      <p class="readout small" aria-hidden="true">
        {weeks.find(({ start }) => start === shown)?.text}
      </p>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={label}
          onPointerLeave={() => show(undefined)}
        >
          <g aria-hidden="true">
            <ValueAxis ticks={ticks} y={y} left={left} right={width} />
            <DayAxis ticks={marks} y={height - 4} width={width} />
          </g>
          {weeks.map((week, n) => (
            <g key={week.start} class={week.isPartial ? 'week partial' : 'week'} onPointerMove={() => show(week.start)}>
              <WeekColumns week={week} x={left + n * slot} width={slot} y={y} />
            </g>
          ))}
        </svg>
      )}
    </div>
  )
}

const total = ({ parts }: Column): number => parts.reduce((sum, { value }) => sum + value, 0)

const maxColumnWidth = 20

interface WeekColumnsProps {
  week: Week
  x: number
  width: number
  y: Scale
}

function WeekColumns({ week: { columns }, x, width, y }: WeekColumnsProps) {
  const share = Math.min(maxColumnWidth + 2, (width * 0.8) / columns.length)
  const first = x + (width - share * columns.length) / 2
  return (
    <>
      {columns.map((column, n) => {
        const drawing = (
          <ColumnParts column={column} x={first + n * share} width={share - Math.min(2, share / 4)} y={y} />
        )
        const hit = (
          <rect class="hit" x={x + (n * width) / columns.length} y={0} width={width / columns.length} height={bottom} />
        )
        return column.link === undefined ? (
          <g key={n}>
            {hit}
            {drawing}
          </g>
        ) : (
          <a key={n} href={column.link.href} aria-label={column.link.text} tabindex={-1}>
            {hit}
            {drawing}
          </a>
        )
      })}
    </>
  )
}

interface ColumnPartsProps {
  column: Column
  x: number
  width: number
  y: Scale
}

/** A value that is not 0 is at least as high as a pixel. */
function ColumnParts({ column: { parts }, x, width, y }: ColumnPartsProps) {
  let sum = 0
  return (
    <>
      {parts.map(({ kind, value }) => {
        const low = y(sum)
        sum += value
        if (value === 0) return null
        const high = Math.min(low - 1, y(sum))
        return (
          <rect key={kind} class={kind} x={x} y={high} width={width} height={low - high} rx={Math.min(2, width / 4)} />
        )
      })}
    </>
  )
}
