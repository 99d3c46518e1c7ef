// The buckets of the rate limits are with the first process, so that a limit is the same whichever worker a connection
// came to. A worker asks for tokens as a database commits in groups: while it waits for an answer the next ones gather,
// so that the more it has to do, the more go into one message.

import type { Buckets } from '../../api/access/rate-limit.ts'
import type { Want } from './messages.ts'

export interface SharedBuckets extends Buckets {
  /** The answer to what was sent. */
  receive(before: readonly number[]): void
}

interface Asking {
  want: Want
  resolve(before: number): void
}

/** The end of the worker. */
export function shareBuckets(send: (wants: Want[]) => void): SharedBuckets {
  let gathered: Asking[] = []
  let sent: Asking[] = []

  const takeOf = (of: keyof Buckets) => (name: string, perMinute: number) =>
    new Promise<number>((resolve) => {
      // Not at once, for what else came in at the same moment.
      if (gathered.push({ want: [of, name, perMinute], resolve }) === 1) setImmediate(leave)
    })

  function leave() {
    if (sent.length > 0 || gathered.length === 0) return
    sent = gathered
    gathered = []
    send(sent.map(({ want }) => want))
  }

  return {
    keys: takeOf('keys'),
    addresses: takeOf('addresses'),
    receive(before) {
      for (const [index, { resolve }] of sent.entries()) resolve(before[index]!)
      sent = []
      leave()
    },
  }
}

/** The end of the first process. */
export function takeAll(
  buckets: Record<keyof Buckets, (name: string, perMinute: number) => number>,
  wants: readonly Want[],
): number[] {
  return wants.map(([of, name, perMinute]) => buckets[of](name, perMinute))
}
