// Errors of requests to a tracker. They contain nothing that a tracker sends except the status: a tracker could send back
// our token, or text that misleads the reader of a log.

export class TrackerError extends Error {
  override name = 'TrackerError'
  /** The status of the tracker's answer; 0 without an answer. */
  readonly status: number
  /** How long the tracker, or our share of its limit, demands to wait. */
  readonly retryMs: number | undefined

  constructor(message: string, status = 0, retryMs?: number) {
    super(message)
    this.status = status
    this.retryMs = retryMs
  }
}

/**
 * Describes an error of Node by its code, and drops the error itself: that of the HTTP parser contains bytes of the answer,
 * and that of TLS contains names from the certificate.
 */
export function describeFailure(error: unknown, status: number): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof TrackerError || code === undefined) return error
  if (code.startsWith('Z_')) return new TrackerError('the answer is not valid gzip', status)
  if (code === 'ERR_INVALID_CHAR') return new TrackerError('the token contains a character that headers cannot contain')
  return new TrackerError(`the connection to the tracker failed: ${code}`, status)
}
