// Limits how many requests without a verified key, or over the rate limit of their key, are logged one by one: anybody
// can send any number of them, and they would fill the disk. The others are counted, and logged as one line at the end
// of the window.

import type { Log } from '../runtime/log.ts'
import type { Code } from './problems/problem.ts'

const windowMs = 10_000
/** In all workers together. */
const maxLines = 100

export interface LogLimit {
  /** Returns true if the request may be logged by itself. Otherwise, counts it. */
  allows(status: number, code: Code | undefined): boolean
  /** Logs the counts of the current window. */
  close(): void
}

export function createLogLimit(log: Log, level: 'info' | 'error', workers: number): LogLimit {
  const maxOwnLines = Math.ceil(maxLines / workers)
  let timer: NodeJS.Timeout | undefined
  let lines = 0
  let count = 0
  let statuses: Record<string, number> = {}
  let codes: Record<string, number> = {}

  function endWindow() {
    clearTimeout(timer)
    timer = undefined
    if (count > 0) log[level]('further refused or public requests', { count, statuses, codes })
    lines = count = 0
    statuses = {}
    codes = {}
  }

  return {
    allows(status, code) {
      timer ??= setTimeout(endWindow, windowMs).unref()
      if (lines < maxOwnLines) {
        lines++
        return true
      }
      count++
      statuses[status] = (statuses[status] ?? 0) + 1
      if (code) codes[code] = (codes[code] ?? 0) + 1
      return false
    },
    close: endWindow,
  }
}
