// The future part of a burn-up chart: when the open tasks are forecast to be done, and when they are due.

import type { Progress } from '../api/types.ts'
import { addDays, formatDay, formatDays, today } from '../text/format.ts'
import { textWidth } from './axes.tsx'
import type { BurnUpShape } from './burn-up-shape.ts'

type Forecast = NonNullable<Progress['forecast']>

/** A dashed line to the day by which half of the trials are done, and a band to that of 85 %. */
export function Outcome({ forecast, shape }: { forecast: Forecast; shape: BurnUpShape }) {
  const { points, until, width, right, left, height, x, y } = shape
  const { p50Date, p85Date } = forecast
  const now = points.at(-1)!
  const [start, level, goal] = [x(now.day), y(now.done), y(now.scope)]
  const half = x(addDays(p50Date, 1))
  // Beyond the chart, the band has no end.
  const most = p85Date === null ? half * 8 : x(addDays(p85Date, 1))
  const isInside = p50Date < until
  const room = width - start - labelGap
  const text = isInside ? endText(forecast, room) : `${formatDay(p50Date)} →`
  const textStart = Math.max(start + labelGap, Math.min(half, width - textWidth(text)))
  return (
    <>
      <clipPath id="until">
        <rect x={left} y="0" width={right - left} height={height} />
      </clipPath>
      <g clip-path="url(#until)">
        <line class="scope future" x1={start} x2={most} y1={goal} y2={goal} />
        <polygon class="band" points={`${start},${level} ${half},${goal} ${most},${goal}`} />
        <line class="done future" x1={start} x2={half} y1={level} y2={goal} />
      </g>
      {isInside && <circle class="done" cx={half} cy={goal} r="3.5" />}
      <text class="label done" x={textStart} y={goal - 10}>
        {text}
      </text>
    </>
  )
}

/** Away from the label of the scope. */
const labelGap = 12

function endText({ p50Date, p85Date }: Forecast, room: number): string {
  if (p85Date === null) return `from ${formatDay(p50Date)}`
  const text = formatDays(p50Date, p85Date)
  return textWidth(text) <= room ? text : formatDay(p50Date)
}

interface DueLineProps {
  dueDate: string
  progress: Progress
  shape: BurnUpShape
}

/** Red if the forecast ends after it, or if it is over and the project is not. */
export function DueLine({ dueDate, progress, shape }: DueLineProps) {
  const { from, forecast, forecastReason } = progress
  const { until, bottom, right, x } = shape
  const end = addDays(dueDate, 1)
  if (end <= from || end > until) return null
  const isExpected = forecastReason !== 'nothing_remaining' && forecastReason !== 'archived'
  const isLate =
    isExpected &&
    (dueDate < today() || (forecast !== null && (forecast.p85Date === null || forecast.p85Date > dueDate)))
  const text = `due ${formatDay(dueDate)}`
  const isBefore = x(end) + textWidth(text) + 8 > right
  return (
    <g class={isLate ? 'due late' : 'due'}>
      <line x1={x(end)} x2={x(end)} y1="28" y2={bottom} />
      <text x={x(end) + (isBefore ? -6 : 6)} y={bottom - 8} text-anchor={isBefore ? 'end' : 'start'}>
        {text}
      </text>
    </g>
  )
}
