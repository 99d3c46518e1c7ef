// Closes a connection so that its client can read everything that was written. If the client sends to a closed
// connection, or there is unread input when it is closed, the responses that the client has not read yet are lost: the
// operating systems discard them.

import type { Socket } from 'node:net'

const lingerMs = 1_000
const maxDiscardedBytes = 1_048_576

/** Ends the connection, and discards what the client still sends for a while. */
export function closeGently(socket: Socket) {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  let discardedBytes = 0
  socket.on('data', ({ length }: Buffer) => {
    discardedBytes += length
    if (discardedBytes > maxDiscardedBytes) socket.pause()
  })
  socket.resume()
}
