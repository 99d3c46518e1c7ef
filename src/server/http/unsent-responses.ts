// Limits the memory of responses that clients have not read yet. Over the limit, the connection whose client has not read
// a response for longest is closed. A limit for each connection would not be enough: the requests of a connection run at
// once, before the size of any response is known, and there are thousands of connections.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionCounts } from './connections.ts'

export const maxUnsentBytes = 64 * 1_048_576
// The objects of a request and its response.
const bytesPerResponse = 8_192

export interface UnsentResponses {
  /** Counts a response until it is released. Bodies that several responses share count once. */
  hold(response: ServerResponse, socket: Socket, body: Uint8Array): void
  release(response: ServerResponse): void
}

export function trackUnsent(counts: Pick<ConnectionCounts, 'unsentBytes' | 'unread'>): UnsentResponses {
  /** In the order in which the app responded. */
  const held = new Map<ServerResponse, { socket: Socket; body: Uint8Array }>()
  const uses = new Map<Uint8Array, number>()

  function release(response: ServerResponse) {
    const entry = held.get(response)
    if (!entry) return
    const { body } = entry
    held.delete(response)
    counts.unsentBytes -= bytesPerResponse
    const left = uses.get(body)! - 1
    if (left > 0) return void uses.set(body, left)
    uses.delete(body)
    counts.unsentBytes -= body.length
  }

  return {
    hold(response, socket, body) {
      held.set(response, { socket, body })
      counts.unsentBytes += bytesPerResponse
      const before = uses.get(body) ?? 0
      uses.set(body, before + 1)
      if (before === 0) counts.unsentBytes += body.length
      for (const [oldest, { socket }] of held) {
        if (counts.unsentBytes <= maxUnsentBytes) return
        if (!socket.destroyed) counts.unread++
        socket.destroy()
        release(oldest)
      }
    },
    release,
  }
}
