// Limits how many requests of a connection run at once. Node starts every request of a received chunk, more than a
// thousand, before it stops reading, and creates their responses even if the client never reads them.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { sendBody } from './send-body.ts'
import { createTimeSlices, type TimeSlices } from './time-slices.ts'
import type { UnsentResponses } from './unsent-responses.ts'

/** The requests of one connection. */
export interface Pipeline {
  /** The response to the last request that was started. */
  readonly last: ServerResponse<IncomingMessage> | undefined
  /** Counts a request as running until its response has been sent or the connection is closed. */
  begin(response: ServerResponse<IncomingMessage>): void
  /**
   * Sends the body and ends the response. Call it once for each request. From then on, the service does no more work for
   * the request, but its client may still have to send and to read.
   */
  send(response: ServerResponse<IncomingMessage>, body: Uint8Array): void
  /** Starts no more requests. The body of the last one may still arrive. */
  end(): void
  /** Parses no more bytes, and reads none. */
  abandon(): void
  /** Closes the connection after everything that was written. Discards what the client still sends. */
  close(): void
}

export const maxRunningPerConnection = 8
// The time that a connection stays open after the last response, and the bytes that are read meanwhile. If the client
// sends to a closed connection, or there is unread input when it is closed, the responses that the client has not read
// yet are lost: the operating systems discard them.
const lingerMs = 1_000
const maxDiscardedBytes = 1_048_576
// A body in chunks of one byte takes about 2 µs for each byte.
const maxPieceBytes = 8_192
const endOfHead = Buffer.from('\r\n\r\n')

/** A socket with properties that Node adds, which are not documented. The tests run on all supported versions. */
type NodeSocket = Socket & {
  /** True while the client does not read its responses. Parsing must wait until Node resumes the socket. */
  _paused?: boolean
  parser?: { unconsume?(): void } | null
}

interface Running {
  response: ServerResponse<IncomingMessage>
  /** Set while the response waits for its client. */
  release: (() => void) | undefined
}

interface PipelineEvents {
  /** The service works on a request of the connection, or on none any more. */
  onBusy(socket: Socket, isBusy: boolean): void
  /** A connection sent more requests than may run at once. */
  onLimit(): void
}

export function trackPipelines(server: Server, isSecure: boolean, unsent: UnsentResponses, events: PipelineEvents) {
  const pipelines = new WeakMap<Socket, Pipeline>()
  const slices = createTimeSlices()

  function pipelineOf(socket: Socket): Pipeline {
    const known = pipelines.get(socket)
    if (known) return known
    const created = createPipeline(socket, slices, unsent, events)
    pipelines.set(socket, created)
    return created
  }

  // This listener runs after Node's own, which prepares the socket.
  server.on(isSecure ? 'secureConnection' : 'connection', pipelineOf)
  return pipelineOf
}

function createPipeline(
  socket: NodeSocket,
  slices: TimeSlices,
  unsent: UnsentResponses,
  { onBusy, onLimit }: PipelineEvents,
): Pipeline {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
  // Not a set; see unsent-responses.ts.
  const running: Running[] = []
  /** Received bytes that have not been parsed yet. The socket is paused while there are any. */
  let held: Buffer | undefined
  let last: ServerResponse<IncomingMessage> | undefined
  /** The number of requests that the app has not responded to. */
  let unanswered = 0
  let isAtLimit = false
  let hasEnded = false
  let isAbandoned = false

  const isReceivingBody = () => last?.req.complete === false
  const isBodyFull = () => isReceivingBody() && last!.req.readableLength >= last!.req.readableHighWaterMark

  function mayParse(): boolean {
    if (isAbandoned || socket.destroyed || socket._paused || isBodyFull()) return false
    // The body of the last request may be among the held bytes, together with the head of the next one.
    if (isReceivingBody()) return running.length <= maxRunningPerConnection
    return !hasEnded && running.length < maxRunningPerConnection
  }

  /** Parses at most one head. */
  function parsePiece(bytes: Buffer) {
    const at = bytes.indexOf(endOfHead)
    const end = Math.min(at < 0 ? bytes.length : at + endOfHead.length, maxPieceBytes)
    held = end < bytes.length ? bytes.subarray(end) : undefined
    parse!(held ? bytes.subarray(0, end) : bytes)
  }

  function parseHeld() {
    while (held && mayParse()) {
      if (!slices.hasTime()) {
        slices.wait(parseHeld)
        break
      }
      parsePiece(held)
    }
    const wasAtLimit = isAtLimit
    isAtLimit = held !== undefined && running.length >= maxRunningPerConnection
    if (isAtLimit && !wasAtLimit) onLimit()
    if (isAbandoned) return
    if (held) socket.pause()
    else if (!socket._paused && !isBodyFull() && socket.isPaused()) socket.resume()
  }

  if (parse) {
    socket.removeListener('data', parse)
    socket.on('data', (bytes: Buffer) => {
      if (isAbandoned) return
      if (!held && mayParse()) parsePiece(bytes)
      else held = held ? Buffer.concat([held, bytes]) : bytes
      if (held) parseHeld()
    })
    // The parser no longer reads from the socket by itself. The new listener is enough for that in Node, but not in Deno.
    socket.parser?.unconsume?.()
    // Node resumes the socket when the client reads again, or when a body is read.
    socket.on('resume', () => held && parseHeld())
  }

  function close() {
    isAbandoned = true
    held = undefined
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

  // Node calls it after the last response.
  socket.destroySoon = close
  // Node emits "close" only for the response that is being sent.
  socket.once('close', () => {
    for (const { response } of running.filter(({ response }) => !response.socket)) response.destroy().emit('close')
  })

  return {
    get last() {
      return last
    },
    begin(response) {
      last = response
      if (unanswered++ === 0) onBusy(socket, true)
      const entry: Running = { response, release: undefined }
      running.push(entry)
      response.once('close', () => {
        running.splice(running.indexOf(entry), 1)
        entry.release?.()
        if (held) parseHeld()
      })
    },
    send(response, body) {
      if (--unanswered === 0) onBusy(socket, false)
      const entry = running.find((one) => one.response === response)
      if (entry) entry.release = unsent.hold(response.req, body)
      sendBody(response, body, slices)
    },
    end: () => void (hasEnded = true),
    abandon() {
      isAbandoned = true
      held = undefined
      socket.pause()
    },
    close,
  }
}
