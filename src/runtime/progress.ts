// Reports the progress of long work: a bar with an estimate of the remaining time on a terminal, and a line every ten
// seconds elsewhere.

import type { Log } from './log.ts'

/**
 * Calls `work`, which calls `advance` with the number of units that it has completed since the last call. The total is
 * Infinity if it is not known.
 */
export type Progress = <T>(
  step: string,
  total: number,
  work: (advance: (units?: number) => void) => Promise<T>,
  unit?: string,
) => Promise<T>

interface StepState {
  step: string
  done: number
  total: number
  /** Such as MB. */
  unit: string
  /** Undefined until the first units are done. */
  perSecond: number | undefined
  /** Undefined until the first units are done, and without a total. */
  remainingMs: number | undefined
}

export interface ProgressDisplay {
  /** The time between two calls of show(). */
  intervalMs: number
  /** Steps that end earlier than this are not shown. */
  delayMs: number
  show(state: StepState): void
  /** Removes what show() has left on the screen. */
  clear(): void
}

/** Does the work without reporting its progress. */
export const untracked: Progress = (_step, _total, work) => work(() => {})

export function createProgress(display: ProgressDisplay): Progress {
  return async (step, total, work, unit = '') => {
    if (total === 0) return untracked(step, total, work)
    const startedAt = performance.now()
    let done = 0
    let doneAt = startedAt
    const show = () => {
      const now = performance.now()
      if (now - startedAt < display.delayMs) return
      const msPerUnit = (doneAt - startedAt) / done
      const remainingMs = msPerUnit * (total - done) - (now - doneAt)
      // After a unit that takes longer than all that remained, the ones before it say nothing.
      const isKnown = done > 0 && (done === total || remainingMs > 0)
      display.show({
        step,
        done,
        total,
        unit,
        perSecond: isKnown && msPerUnit > 0 ? 1_000 / msPerUnit : undefined,
        remainingMs: isKnown && total !== Infinity ? Math.max(0, remainingMs) : undefined,
      })
    }
    const timer = setInterval(show, display.intervalMs).unref()
    try {
      return await work((units = 1) => {
        done = Math.min(total, done + units)
        doneAt = performance.now()
      })
    } finally {
      clearInterval(timer)
      display.clear()
    }
  }
}

const everyTenSeconds = (show: ProgressDisplay['show']): ProgressDisplay => ({
  intervalMs: 10_000,
  delayMs: 0,
  show,
  clear() {},
})

export const showInLog = (log: Log) =>
  everyTenSeconds(({ step, done, total, remainingMs }) =>
    log.info(step, { done, total, ...(remainingMs !== undefined && { remaining_ms: Math.round(remainingMs) }) }),
  )

/** Lines such as "creating tasks: 40,000 of 200,000 (20 %), 3,200/s, about 50 s left". */
export const showAsLines = (writeLine: (text: string) => void) =>
  everyTenSeconds((state) => {
    const percent = state.total === Infinity ? '' : ` (${formatPercent(state)})`
    writeLine(`${state.step}: ${formatDone(state, ' of ')}${percent}${formatRest(state, ', ')}`)
  })

interface Terminal {
  write(text: string): void
  columns(): number
}

const eraseLine = '\r\x1b[K'
const maxBarWidth = 30
const minBarWidth = 5

/** A bar on the last line of a terminal, which it leaves empty. */
export function showAsBar({ write, columns }: Terminal): ProgressDisplay {
  let shown = ''
  return {
    intervalMs: 250,
    delayMs: 1_000,
    show(state) {
      // Without the last column, in which some terminals wrap.
      const bar = formatBar(state, columns() - 1)
      if (bar !== shown) write(eraseLine + bar)
      shown = bar
    },
    clear() {
      if (shown !== '') write(eraseLine)
      shown = ''
    },
  }
}

function formatBar(state: StepState, width: number): string {
  if (state.total === Infinity)
    return `${state.step}  ${formatDone(state, '/')}${formatRest(state, '  ')}`.slice(0, Math.max(0, width))
  const text = ` ${formatPercent(state)}  ${formatDone(state, '/')}${formatRest(state, '  ')}`
  const barWidth = Math.min(maxBarWidth, width - state.step.length - text.length - ' []'.length)
  if (barWidth < minBarWidth) return `${state.step}${text}`.slice(0, Math.max(0, width))
  const filled = Math.floor((state.done / state.total) * barWidth)
  return `${state.step} [${'#'.repeat(filled).padEnd(barWidth, '-')}]${text}`
}

const formatNumber = (value: number) => Math.floor(value).toLocaleString('en-US')
const formatPercent = ({ done, total }: StepState) => `${Math.floor((100 * done) / total)} %`

function formatDone({ done, total, unit }: StepState, separator: string): string {
  const counts = total === Infinity ? [done] : [done, total]
  return counts.map(formatNumber).join(separator) + (unit && ` ${unit}`)
}

function formatRest({ perSecond, remainingMs, unit }: StepState, separator: string): string {
  // The rate of a few large steps says nothing.
  const rate =
    perSecond === undefined || perSecond < 2 ? '' : `${separator}${formatNumber(perSecond)}${unit && ` ${unit}`}/s`
  return remainingMs === undefined ? rate : `${rate}${separator}about ${formatTime(remainingMs)} left`
}

function formatTime(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${seconds} s`
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
