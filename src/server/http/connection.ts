// The life of a connection: what is received, parsed, run, sent and closed. Without limits, Node starts every request of a
// received chunk, more than a thousand, before it stops reading, and creates their responses even if the client never
// reads them.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { sizeOf, type ClientMemory } from './client-memory.ts'
import type { ConnectionCounts } from './connections.ts'
import { intercept } from './node-internals.ts'
import { isChunked, mustWaitForReader } from './receive-body.ts'
import type { TimeSlices } from './time-slices.ts'

type Outgoing = ServerResponse<IncomingMessage>

export interface Connection {
  /** The response to the last request that was started. */
  readonly last: Outgoing | undefined
  /** Counts a request as running until its response has been sent or the connection is closed. */
  begin(response: Outgoing): void
  /**
   * Sends the body and ends the response. Call it once for each request. From then on, the service does no more work for
   * the request, but its client may still have to send and to read.
   */
  send(response: Outgoing, body: Uint8Array): void
  /** Calls the listener when the client disconnects, or sends no more, which may mean the same. */
  onDisconnect(response: Outgoing, listener: () => void): void
  /** Starts no more requests. The body of the last one may still arrive. */
  end(): void
  /** Parses no more bytes, and reads none. */
  abandon(): void
  /** Closes the connection after everything that was written. Discards what the client still sends. */
  close(): void
}

export const maxRunningPerConnection = 8
// With more than 512 connections, fewer requests of each may run.
const maxRunningOfAll = 4_096
// A body in chunks of one byte takes about 2 µs for each byte.
const maxPieceOfChunks = 8_192
const maxHeldBytes = 16_384
// The whole of many large bodies would keep the event loop busy, and TLS would encrypt a copy of each in advance.
const maxPartBytes = 65_536
const lingerMs = 1_000
const maxDiscardedBytes = 1_048_576
const endOfHead = Buffer.from('\r\n\r\n')

interface Shared {
  counts: ConnectionCounts
  memory: ClientMemory
  slices: TimeSlices
  /** The service works on a request of the connection, or on none any more. */
  onBusy(socket: Socket, isBusy: boolean): void
}

/** Returns the connection of a socket that carries HTTP. */
export function handleConnections(server: Server, isSecure: boolean, shared: Shared): (socket: Socket) => Connection {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf(socket: Socket): Connection {
    const connection = connections.get(socket) ?? createConnection(socket, shared)
    connections.set(socket, connection)
    return connection
  }

  server.on('connection', shared.slices.shorten)
  // This listener runs after Node's own, which prepares the socket.
  server.on(isSecure ? 'secureConnection' : 'connection', connectionOf)
  return connectionOf
}

function createConnection(socket: Socket, { counts, memory, slices, onBusy }: Shared): Connection {
  /** With functions to call once the client has read the response, or has left. Not a set; see client-memory.ts. */
  const running: { response: Outgoing; release: () => void; onDisconnect: () => void }[] = []
  /** Received bytes that have not been parsed yet. */
  let held: Buffer | undefined
  let releaseHeld = () => {}
  let last: Outgoing | undefined
  /** The number of requests that the app has not responded to. */
  let unanswered = 0
  let isWaiting = false
  /** Some of the held bytes have been parsed already. */
  let isFurther = false
  let hasEnded = false
  /** The client sends no more, but Node has not been told yet. */
  let isHalfClosed = false
  let isAbandoned = false
  let discardedBytes = 0

  const node = intercept(socket, { onData: receive, onEnd: halfClose, onLast: close })
  // Node resumes the socket when the client reads again, or when a body is read.
  socket.on('resume', goOn)

  const isReceivingBody = () => last?.req.complete === false
  const isBodyFull = () => isReceivingBody() && mustWaitForReader(last!.req)
  const maxRunning = () => Math.max(1, Math.min(maxRunningPerConnection, Math.floor(maxRunningOfAll / counts.open)))

  function mayParse(): boolean {
    if (isAbandoned || socket.destroyed || node.isPaused() || isBodyFull()) return false
    // The body of the last request may be among the held bytes, together with the head of the next one.
    if (isReceivingBody()) return running.length <= maxRunning()
    return !hasEnded && running.length < maxRunning()
  }

  function hold(bytes: Buffer | undefined) {
    releaseHeld()
    held = bytes
    // Node has often read as much again.
    releaseHeld = bytes ? memory.keep(socket, 2 * bytes.length) : () => {}
  }

  /** Parses at most one head. */
  function parsePiece(bytes: Buffer) {
    const at = bytes.indexOf(endOfHead)
    const end = Math.min(
      at < 0 ? bytes.length : at + endOfHead.length,
      isReceivingBody() && isChunked(last!.req) ? maxPieceOfChunks : bytes.length,
    )
    const rest = end < bytes.length ? bytes.subarray(end) : undefined
    if (held && rest) held = rest
    else hold(rest)
    isFurther = true
    const before = last
    node.parse(rest ? bytes.subarray(0, end) : bytes)
    if (last !== before) parseSmallBody()
  }

  /** The body that arrived with a head must be complete before the response, or the connection would be closed. */
  function parseSmallBody() {
    if (!held || !isReceivingBody() || isChunked(last!.req) || !mayParse()) return
    const body = held.subarray(0, Number(last!.req.headers['content-length']))
    hold(body.length < held.length ? held.subarray(body.length) : undefined)
    node.parse(body)
  }

  function receive(bytes: Buffer) {
    if (isAbandoned) return discard(bytes)
    if (!held && mayParse() && slices.hasTime()) parsePiece(bytes)
    else hold(held ? Buffer.concat([held, bytes]) : bytes)
    goOn()
  }

  function discard({ length }: Buffer) {
    discardedBytes += length
    if (discardedBytes > maxDiscardedBytes) socket.pause()
  }

  function parseHeld() {
    if (held && mayParse()) parsePiece(held)
    goOn()
  }

  /** Waits for the next turn if there are bytes to parse, and for the client if not. */
  function goOn() {
    if (!held) isFurther = false
    const isNext = held !== undefined && mayParse()
    if (isNext) slices.wait(parseHeld, !isFurther)
    const mustWait = held !== undefined && (node.isPaused() || running.length >= maxRunning())
    if (mustWait && !isWaiting) counts.pipelined++
    isWaiting = mustWait
    if (isAbandoned) return
    // Pausing and resuming take time. A small request waits for its turn without.
    if (held && !(isNext && held.length < maxHeldBytes)) socket.pause()
    else if (!held && socket.isPaused() && !node.isPaused() && !isBodyFull()) socket.resume()
    if (isHalfClosed && !held && (running.length === 0 || isReceivingBody())) {
      isHalfClosed = false
      node.end()
    }
  }

  function halfClose() {
    isHalfClosed = true
    for (const { onDisconnect } of running) onDisconnect()
    goOn()
  }

  /**
   * If the client sends to a closed connection, or there is unread input when it is closed, the operating systems discard
   * the responses that the client has not read yet. So its input is discarded for a while.
   */
  function close() {
    abandon()
    socket.end()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
    socket.resume()
  }

  function abandon() {
    isAbandoned = true
    hold(undefined)
    socket.pause()
  }

  socket.once('close', () => {
    hold(undefined)
    // Node emits "close" only for the response that is being sent.
    for (const { response } of running.filter(({ response }) => !response.socket)) response.destroy().emit('close')
  })

  return {
    get last() {
      return last
    },
    begin(response) {
      last = response
      if (unanswered++ === 0) onBusy(socket, true)
      const entry = { response, release: () => {}, onDisconnect: () => {} }
      running.push(entry)
      response.once('close', () => {
        running.splice(running.indexOf(entry), 1)
        entry.release()
        entry.onDisconnect()
        if (held || isHalfClosed) goOn()
      })
    },
    onDisconnect(response, listener) {
      const entry = running.find((one) => one.response === response)
      if (entry) entry.onDisconnect = listener
      if (!entry || isHalfClosed) listener()
    },
    send(response, body) {
      if (--unanswered === 0) onBusy(socket, false)
      const entry = running.find((one) => one.response === response)
      if (entry) entry.release = memory.keep(socket, sizeOf(response.req), body)
      if (body.length <= maxPartBytes) response.end(body)
      else void sendParts(response, body, slices)
    },
    end: () => void (hasEnded = true),
    abandon,
    close,
  }
}

/** Each part waits for the client, and for other connections. */
async function sendParts(response: Outgoing, body: Uint8Array, slices: TimeSlices) {
  let resume = () => {}
  response.once('close', () => resume())
  let at = 0
  for (; body.length - at > maxPartBytes && !response.destroyed; at += maxPartBytes) {
    if (!slices.hasTime()) await new Promise<void>((resolve) => slices.wait(resolve, false))
    // Not "drain", which Node no longer emits after CONNECT.
    await new Promise<void>((resolve) => {
      resume = resolve
      if (response.destroyed) resolve()
      else response.write(body.subarray(at, at + maxPartBytes), () => resolve())
    })
  }
  if (!response.destroyed) response.end(body.subarray(at))
}
