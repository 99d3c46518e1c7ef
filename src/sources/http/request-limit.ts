// Obeys the limits of a tracker, and uses at most a share of what it allows. Times of the tracker are only compared with
// its own clock, the Date header of the same answer; waiting uses a monotonic clock.

import type { TrackerHeaders } from './remembered-answers.ts'

export interface LimitedAnswer {
  status: number
  headers: TrackerHeaders
  /** The tracker's clock. */
  date: Date | undefined
}

const defaultWaitMs = 60_000
/** A tracker that demands more is tried again after this time. */
const maxWaitMs = 3_600_000
/** Larger values of RateLimit-Reset are seconds since 1970 (GitLab), smaller ones are seconds from now (the IETF draft). */
const firstEpochSeconds = 1_000_000_000

/** `share` is the part of the tracker's limit that we may use, up to 1; `now` returns milliseconds. */
export function createRequestLimit(share: number, now: () => number) {
  let blockedUntil = -Infinity
  /** What the last answer said about the current window; `available` is our part of what remains. */
  let window = { available: 0, endsAt: -Infinity }

  function observeWindow({ headers, date }: LimitedAnswer): void {
    const limit = numberIn(headers, 'limit')
    const remaining = numberIn(headers, 'remaining')
    if (limit === undefined || remaining === undefined) return
    const resetMs = resetMsOf(headers, date) ?? defaultWaitMs
    window = { available: remaining - (1 - share) * limit, endsAt: now() + resetMs }
    if (window.available <= 0) block(resetMs)
  }

  function block(ms: number): void {
    blockedUntil = Math.max(blockedUntil, now() + ms)
  }

  return {
    /** How long no request may be sent. */
    waitMs: () => Math.max(0, blockedUntil - now()),
    /** Learns from an answer. Returns how long to wait if the tracker refused the request because of a limit. */
    observe(answer: LimitedAnswer): number | undefined {
      observeWindow(answer)
      const waitMs = demandedWaitMs(answer)
      if (waitMs !== undefined) block(waitMs)
      return waitMs
    },
    /**
     * How long to wait before the next round, if the last one sent so many requests: our part of what remains is spread
     * over the rest of the window. In a new window with the limit L and the length T, this is requests ÷ (share × L) × T.
     */
    pace(requests: number): number {
      const { available, endsAt } = window
      const leftMs = Math.max(0, endsAt - now())
      return available <= 0 ? leftMs : Math.min(leftMs, (requests / available) * leftMs)
    },
  }
}

/** GitHub refuses with 403 or 429. Without Retry-After and without an empty window, 403 is about permissions. */
function demandedWaitMs({ status, headers, date }: LimitedAnswer): number | undefined {
  const retryAfterMs = retryAfterMsOf(headers, date)
  const resetMs = numberIn(headers, 'remaining') === 0 ? (resetMsOf(headers, date) ?? defaultWaitMs) : undefined
  const demandedMs = retryAfterMs ?? resetMs
  if (status === 429) return demandedMs ?? defaultWaitMs
  if (status === 403) return demandedMs
  return status === 503 ? retryAfterMs : undefined
}

/** Seconds, or a date. */
function retryAfterMsOf(headers: TrackerHeaders, date: Date | undefined): number | undefined {
  const text = headers.get('retry-after')
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : date && Date.parse(text) - date.getTime()
  return ms === undefined || Number.isNaN(ms) ? defaultWaitMs : clampWait(ms)
}

function resetMsOf(headers: TrackerHeaders, date: Date | undefined): number | undefined {
  const seconds = numberIn(headers, 'reset')
  if (seconds === undefined) return undefined
  if (seconds < firstEpochSeconds) return clampWait(seconds * 1_000)
  return date && clampWait(seconds * 1_000 - date.getTime())
}

/** Dates and resets are whole seconds: one that seems to be now can be up to a second away. */
const clampWait = (ms: number) => Math.min(Math.max(ms, 1_000), maxWaitMs)

function numberIn(headers: TrackerHeaders, name: 'limit' | 'remaining' | 'reset'): number | undefined {
  const text = headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`)
  // A limit of the IETF draft can be followed by its policy: 100, 100;w=60
  const digits = /^\d+/.exec(text ?? '')?.[0]
  return digits === undefined ? undefined : Number(digits)
}
