// Takes rate-limit tokens from the primary process, which holds the buckets, so that all workers share a limit.
// Like a group commit: while the worker waits for one response, the next requests queue up and share one message.

import type { Buckets, TokenCount } from '../../api/access/rate-limit.ts'
import type { TokenRequest } from './messages.ts'

/** Used by the worker. */
export function createBucketClient(send: (requests: TokenRequest[]) => void) {
  let queued: { request: TokenRequest; resolve(tokens: number): void }[] = []
  let sent: typeof queued = []

  const takeFrom =
    (of: keyof Buckets) =>
    (name: string, perMinute: number, count: TokenCount = 1) =>
      new Promise<number>((resolve) => {
        // Deferred, to include the other requests of this turn of the event loop.
        if (queued.push({ request: [of, name, perMinute, count], resolve }) === 1) setImmediate(flush)
      })

  function flush() {
    if (sent.length > 0 || queued.length === 0) return
    sent = queued
    queued = []
    send(sent.map(({ request }) => request))
  }

  return {
    keys: takeFrom('keys'),
    networks: takeFrom('networks'),
    /** Handles the response to the last message. */
    receive(tokens: readonly number[]) {
      for (const [index, { resolve }] of sent.entries()) resolve(tokens[index]!)
      sent = []
      flush()
    },
  }
}

/** Used by the primary. */
export function takeTokens(
  buckets: Record<keyof Buckets, (name: string, perMinute: number, count: TokenCount) => number>,
  requests: readonly TokenRequest[],
): number[] {
  return requests.map(([of, name, perMinute, count]) => buckets[of](name, perMinute, count))
}
