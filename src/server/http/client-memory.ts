// Limits the memory for what clients leave behind: responses that they have not read yet, and requests that they have
// sent in advance. Over the limit, the connection that has kept some for longest is closed. A limit for each connection
// would not be enough: the requests of a connection run at once, before the size of any response is known, and there are
// thousands of connections.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionCounts } from './connections.ts'

export const maxClientBytes = 64 * 1_048_576
// The objects of a request and its response.
const bytesPerResponse = 8_192
// The objects of a header name or value, beside its text.
const bytesPerText = 100

interface Kept {
  socket: Socket
  /** Of everything but the body. */
  bytes: number
  body: Uint8Array | undefined
  isReleased: boolean
}

export type ClientMemory = ReturnType<typeof limitClientMemory>

export function limitClientMemory(counts: Pick<ConnectionCounts, 'clientBytes' | 'unread'>) {
  // The oldest first. Not a map: while one changes, V8 copies its table, and the garbage collector keeps the old tables,
  // and the bodies in them, for long.
  let all: Kept[] = []
  let released = 0
  const uses = new WeakMap<Uint8Array, number>()

  /** Returns the bytes to add to the total, or to subtract from it. */
  function bytesAfter(body: Uint8Array | undefined, change: 1 | -1): number {
    if (!body) return 0
    const before = uses.get(body) ?? 0
    uses.set(body, before + change)
    return Math.min(before, before + change) === 0 ? body.length : 0
  }

  function release(kept: Kept) {
    if (kept.isReleased) return
    kept.isReleased = true
    released++
    counts.clientBytes -= kept.bytes + bytesAfter(kept.body, -1)
    if (released * 2 < all.length) return
    all = all.filter(({ isReleased }) => !isReleased)
    released = 0
  }

  function closeOldest() {
    for (const kept of all) {
      if (counts.clientBytes <= maxClientBytes) return
      if (kept.isReleased) continue
      if (!kept.socket.destroyed) counts.unread++
      kept.socket.destroy()
      release(kept)
    }
  }

  return {
    /** Counts bytes, and the body of a response, until the returned function is called. A body counts once if it is shared. */
    keep(socket: Socket, bytes: number, body?: Uint8Array): () => void {
      const kept = { socket, bytes, body, isReleased: false }
      all.push(kept)
      counts.clientBytes += bytes + bytesAfter(body, 1)
      if (counts.clientBytes > maxClientBytes) closeOldest()
      return () => release(kept)
    },
  }
}

/** The size of a request, which Node keeps for as long as its response. */
export function sizeOf({ rawHeaders }: IncomingMessage): number {
  let bytes = bytesPerResponse
  for (const text of rawHeaders) bytes += bytesPerText + text.length
  return bytes
}
