// Limits the memory of responses that clients have not read yet. Over the limit, the connection whose client has not read
// a response for longest is closed. A limit for each connection would not be enough: the requests of a connection run at
// once, before the size of any response is known, and there are thousands of connections.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionCounts } from './connections.ts'

export const maxUnsentBytes = 64 * 1_048_576
// The objects of a request and its response.
const bytesPerResponse = 8_192
// The objects of a header name or value, beside its text.
const bytesPerText = 100

interface Unsent {
  socket: Socket
  body: Uint8Array
  /** Of everything but the body. */
  bytes: number
  isReleased: boolean
}

export interface UnsentResponses {
  /**
   * Counts a response until the returned function is called. Its request counts as well, because Node keeps it for as
   * long. Bodies that several responses share count once.
   */
  hold(request: IncomingMessage, body: Uint8Array): () => void
}

export function trackUnsent(counts: Pick<ConnectionCounts, 'unsentBytes' | 'unread'>): UnsentResponses {
  // In the order in which the app responded. Not a map: while one changes, V8 copies its table, and the garbage collector
  // keeps the old tables, and the bodies in them, for long.
  let all: Unsent[] = []
  let released = 0
  const uses = new WeakMap<Uint8Array, number>()

  function release(unsent: Unsent) {
    if (unsent.isReleased) return
    unsent.isReleased = true
    released++
    const left = uses.get(unsent.body)! - 1
    uses.set(unsent.body, left)
    counts.unsentBytes -= unsent.bytes + (left === 0 ? unsent.body.length : 0)
    if (released * 2 < all.length) return
    all = all.filter(({ isReleased }) => !isReleased)
    released = 0
  }

  function closeOldest() {
    for (const unsent of all) {
      if (counts.unsentBytes <= maxUnsentBytes) return
      if (unsent.isReleased) continue
      if (!unsent.socket.destroyed) counts.unread++
      unsent.socket.destroy()
      release(unsent)
    }
  }

  return {
    hold({ socket, rawHeaders }, body) {
      let bytes = bytesPerResponse
      for (const text of rawHeaders) bytes += bytesPerText + text.length
      const unsent = { socket, body, bytes, isReleased: false }
      all.push(unsent)
      const before = uses.get(body) ?? 0
      uses.set(body, before + 1)
      counts.unsentBytes += bytes + (before === 0 ? body.length : 0)
      if (counts.unsentBytes > maxUnsentBytes) closeOldest()
      return () => release(unsent)
    },
  }
}
