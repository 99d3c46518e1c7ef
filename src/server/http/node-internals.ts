// Everything that the service uses of Node's HTTP server without documentation. Node has had all of it since before
// version 20, the oldest that is supported. The wire suites run on Node 20, on its LTS release and under Deno.

import type { Socket } from 'node:net'

type Internal = Socket & {
  /**
   * Node has paused the socket and its parser, which then must not be called, until the client reads. It is not the same
   * as writableNeedDrain, because Node also counts responses that wait for an earlier one. Without it, the process ends in
   * test/ci/processes/unread-responses.test.ts.
   */
  _paused?: boolean
  /**
   * Node's parser reads from the socket by itself, until this. In Node, another listener for "data" is enough, but not in
   * Deno, where test/ci/processes/pipelining.test.ts fails over HTTP without it. CI runs that test only on Node.
   */
  parser?: { unconsume?(): void } | null
  /**
   * Node calls it after the last response, and would lose what the client has not read. Without it,
   * test/ci/processes/pipelining.test.ts fails.
   */
  destroySoon(): void
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
 * Puts handlers between a socket and Node, whose own listeners they replace. Call it once Node has prepared the socket.
 * The documented way is to emit "connection" with a stream of one's own, through which all bytes pass: that takes 2 to 4 µs
 * of each response. Without the handlers, test/ci/processes/pipelining.test.ts fails.
 */
export function intercept(socket: Socket, { onData, onEnd, onLast }: Handlers) {
  const internal = socket as Internal
  const parse = takeListener<[Buffer]>(socket, 'data')
  const end = takeListener<[]>(socket, 'end')
  socket.on('data', onData).on('end', onEnd)
  internal.parser?.unconsume?.()
  internal.destroySoon = onLast
  return {
    /** Passes received bytes to Node's parser, which starts every request in them, more than a thousand in one chunk. */
    parse,
    /** Tells Node that the client sends no more. Node then ends the connection, whatever still runs. */
    end,
    /** Returns whether Node has paused the socket because its client does not read. Node resumes it later. */
    isPaused: () => internal._paused === true,
  }
}

/** Node's HTTP server adds its listeners last. A socket on which the TLS handshake failed has none. */
function takeListener<Parameters extends unknown[]>(socket: Socket, event: string) {
  const listener = socket.listeners(event).at(-1) as ((...parameters: Parameters) => void) | undefined
  if (listener) socket.removeListener(event, listener)
  return (...parameters: Parameters) => listener?.apply(socket, parameters)
}
