// Scope and completed tasks over time, and when they are forecast to meet. Read with the pointer or the arrow keys.

import { useState } from 'preact/hooks'
import type { Progress } from '../api/types.ts'
import { addDays, formatDays, formatNumber } from '../text/format.ts'
import { amountOf } from '../text/own-fields.ts'
import { DayAxis, ValueAxis } from './axes.tsx'
import { shapeBurnUp, type BurnUpShape } from './burn-up-shape.ts'
import { DueLine, Outcome } from './burn-up-forecast.tsx'
import { dayTicks } from './scale.ts'
import { useWidth } from './use-width.ts'

interface BurnUpProps {
  progress: Progress
  dueDate: string | null
  /** For screen readers. */
  label: string
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }

export function BurnUpChart({ progress, dueDate, label }: BurnUpProps) {
  const [box, width] = useWidth<HTMLDivElement>()
  const [chosen, choose] = useState<number>()
  const { series, measure } = progress
  const last = series.length - 1
  const shown = chosen === undefined ? undefined : Math.min(chosen, last)
  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') return choose(undefined)
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    choose(Math.min(last, Math.max(0, (shown ?? last + 1) + step)))
  }
  const shape = shapeBurnUp(progress, dueDate, Math.max(240, width))
  function point(event: PointerEvent) {
    const at = event.offsetX
    const distances = series.map(({ end }) => Math.abs(shape.x(end) - at))
    choose(distances.indexOf(Math.min(...distances)))
  }
  /** A finger leaves as soon as it no longer touches, and its week stays. */
  function leave({ pointerType }: PointerEvent) {
    if (pointerType !== 'touch') choose(undefined)
  }
  return (
    <div class="chart" ref={box}>
      <p class="readout small" aria-live="polite">
        <Readout interval={series[shown ?? last]!} measure={measure} isLast={shown === undefined} />
      </p>
      {width > 0 && (
        <svg
          width={shape.width}
          height={shape.height}
          viewBox={`0 0 ${shape.width} ${shape.height}`}
          role="img"
          aria-label={label}
          tabIndex={0}
          onKeyDown={press}
          onPointerDown={point}
          onPointerMove={point}
          onPointerLeave={leave}
          onBlur={() => choose(undefined)}
        >
          <Drawing progress={progress} shape={shape} dueDate={dueDate} shown={shown} />
        </svg>
      )}
    </div>
  )
}

interface ReadoutProps {
  interval: Progress['series'][number]
  measure: string | null
  isLast: boolean
}

function Readout({ interval, measure, isLast }: ReadoutProps) {
  const { start, end, scope, done, remaining } = interval
  return (
    <>
      <span class="quiet">{isLast ? 'Today' : formatDays(start, addDays(end, -1))}</span>{' '}
      <strong>{formatNumber(done)}</strong> of {amountOf(scope, measure)} done, {formatNumber(remaining)} open
    </>
  )
}

interface DrawingProps {
  progress: Progress
  shape: BurnUpShape
  dueDate: string | null
  shown: number | undefined
}

function Drawing({ progress, shape, dueDate, shown }: DrawingProps) {
  const { points, left, right, bottom, height, x, y } = shape
  const ticks = dayTicks(progress.from, shape.until, right - left).map(({ day, text }) => ({ text, x: x(day) }))
  const line = (field: 'scope' | 'done') => points.map((point) => `${x(point.day)},${y(point[field])}`).join(' ')
  const now = points.at(-1)!
  const marked = shown === undefined ? undefined : points[shown + 1]
  return (
    <>
      <defs>
        <linearGradient id="done-area" x2="0" y2="1">
          <stop offset="0" class="area-top" />
          <stop offset="1" class="area-bottom" />
        </linearGradient>
      </defs>
      <ValueAxis ticks={shape.ticks} y={y} left={left} right={right} />
      <DayAxis ticks={ticks} y={height - 4} width={shape.width} />
      <polygon class="area" points={`${x(points[0]!.day)},${bottom} ${line('done')} ${x(now.day)},${bottom}`} />
      {progress.forecast && <Outcome forecast={progress.forecast} shape={shape} />}
      {dueDate !== null && <DueLine dueDate={dueDate} progress={progress} shape={shape} />}
      <polyline class="scope" points={line('scope')} />
      <polyline class="done" points={line('done')} />
      {marked && (
        <g class="marked">
          <line x1={x(marked.day)} x2={x(marked.day)} y1={y(marked.scope)} y2={bottom} />
          <circle class="scope" cx={x(marked.day)} cy={y(marked.scope)} r="4" />
          <circle class="done" cx={x(marked.day)} cy={y(marked.done)} r="4" />
        </g>
      )}
      <text class="label" x={x(now.day)} y={y(now.scope) - 10} text-anchor="end">
        {formatNumber(now.scope)} in scope
      </text>
      <text class="label done" x={x(now.day) + 10} y={Math.min(bottom - 6, y(now.done) + 18)}>
        {formatNumber(now.done)} done
      </text>
    </>
  )
}
