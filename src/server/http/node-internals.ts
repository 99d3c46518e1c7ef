// Everything that the service uses of Node's HTTP server without documentation. Node 20 to 24 have it, and Deno's Node
// API. The tests of pipelining, bodies and response heads run on each of them, and fail without it.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Internal = Socket & {
  _paused?: boolean
  parser?: { unconsume?(): void } | null
  destroySoon(): void
}

export interface NodeConnection {
  /** Passes received bytes to Node's parser, which starts every request in them, more than a thousand in one chunk. */
  parse(bytes: Buffer): void
  /** Tells Node that the client sends no more. Node then ends the connection, whatever still runs. */
  end(): void
  /** Returns whether Node has paused the socket because its client does not read. Node resumes it later. */
  isPaused(): boolean
}

interface Handlers {
  /** The client has sent bytes. */
  onData(bytes: Buffer): void
  /** The client sends no more. */
  onEnd(): void
  /** The last response has been written. */
  onLast(): void
}

/**
 * Puts handlers between a socket and Node. Call it once Node has prepared the socket. The documented way is to emit
 * "connection" with a stream of one's own, through which all bytes pass.
 */
export function intercept(socket: Socket, { onData, onEnd, onLast }: Handlers): NodeConnection {
  const internal = socket as Internal
  const parse = takeListener<[Buffer]>(socket, 'data')
  const end = takeListener<[]>(socket, 'end')
  socket.on('data', onData).on('end', onEnd)
  // Otherwise, Node's parser reads from the socket by itself. The new listener is enough for that in Node, but not in Deno.
  internal.parser?.unconsume?.()
  // Node calls it after the last response, and would lose what the client has not read.
  internal.destroySoon = onLast
  return { parse, end, isPaused: () => internal._paused === true }
}

/** Node's HTTP server adds its listeners last. */
function takeListener<Parameters extends unknown[]>(socket: Socket, event: string) {
  const listener = socket.listeners(event).at(-1) as (...parameters: Parameters) => void
  socket.removeListener(event, listener)
  return listener.bind(socket)
}

/** Changes the head of a response, as text, after writeHead(). */
export function changeHead(response: ServerResponse, change: (head: string) => string) {
  const internal = response as ServerResponse & { _header: string }
  internal._header = change(internal._header)
}
