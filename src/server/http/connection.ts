// The life of a connection: what is received, parsed, run, sent and closed. Without limits, Node starts every request of a
// received chunk, more than a thousand, before it stops reading, and creates their responses even if the client never
// reads them.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { sizeOf, type ClientMemory } from './client-memory.ts'
import type { ConnectionCounts } from './connections.ts'
import { intercept } from './node-internals.ts'
import { failBody, isChunked, mustWaitForReader } from './receive-body.ts'
import type { TimeSlices } from './time-slices.ts'

type Outgoing = ServerResponse<IncomingMessage>

export type Connection = ReturnType<typeof createConnection>

interface Running {
  response: Outgoing
  /** Call it once the client has read the response, or has left. Undefined until the app has responded. */
  release: (() => void) | undefined
  onDisconnect: () => void
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

function createConnection(socket: Socket, { counts, memory, slices, onBusy }: Shared) {
  /** Not a set; see client-memory.ts. */
  const running: Running[] = []
  /** Later states are never left for earlier ones. */
  let state: 'open' | 'last request started' | 'parses no more' = 'open'
  /** Received bytes that have not been parsed yet. */
  let held: Buffer | undefined
  let releaseHeld = () => {}
  let last: Outgoing | undefined
  /** The held bytes wait for earlier requests, or for the client to read. */
  let isWaiting = false
  let discardedBytes = 0

  const node = intercept(socket, { onData: receive, onEnd: halfClose, onLast: close })
  // Node resumes the socket when the client reads again, or when a body is read.
  socket.on('resume', () => goOn())

  /** Returns the request whose body arrives. */
  const receiving = () => (last?.req.complete === false ? last.req : undefined)
  const maxRunning = () => Math.max(1, Math.min(maxRunningPerConnection, Math.floor(maxRunningOfAll / counts.open)))

  function isBodyFull(): boolean {
    const request = receiving()
    return request !== undefined && mustWaitForReader(request)
  }

  function mayParse(): boolean {
    if (state === 'parses no more' || socket.destroyed || node.isPaused() || isBodyFull()) return false
    // The body of the last request may be among the held bytes, together with the head of the next one.
    if (receiving()) return running.length <= maxRunning()
    return state === 'open' && running.length < maxRunning()
  }

  function hold(bytes: Buffer | undefined) {
    releaseHeld()
    held = bytes
    // Node has often read as much again.
    releaseHeld = bytes ? memory.keep(socket, 2 * bytes.length) : () => {}
  }

  /** Parses the first bytes, and holds the rest. */
  function parseFirst(bytes: Buffer, length: number) {
    const rest = length < bytes.length ? bytes.subarray(length) : undefined
    if (held && rest) held = rest
    else hold(rest)
    node.parse(rest ? bytes.subarray(0, length) : bytes)
  }

  /** Parses at most one head. */
  function parsePiece(bytes: Buffer) {
    const before = last
    const earlier = receiving()
    const at = bytes.indexOf(endOfHead)
    const length = at < 0 ? bytes.length : at + endOfHead.length
    parseFirst(bytes, earlier && isChunked(earlier) ? Math.min(length, maxPieceOfChunks) : length)
    const request = receiving()
    // The body that arrived with a head must be complete before the response, or the connection would be closed.
    if (held && request && last !== before && !isChunked(request) && mayParse())
      parseFirst(held, Number(request.headers['content-length']))
    goOn()
  }

  function receive(bytes: Buffer) {
    if (state === 'parses no more') return discard(bytes)
    const isFirst = !held
    if (isFirst && mayParse() && slices.hasTime()) return parsePiece(bytes)
    hold(held ? Buffer.concat([held, bytes]) : bytes)
    goOn(isFirst)
  }

  function discard({ length }: Buffer) {
    discardedBytes += length
    if (discardedBytes > maxDiscardedBytes) socket.pause()
  }

  function parseHeld() {
    if (held && mayParse()) parsePiece(held)
    else goOn()
  }

  /** Waits for the next turn if there are bytes to parse, and for the client if not. */
  function goOn(isFirst = false) {
    if (state === 'parses no more') return
    const isNext = held !== undefined && mayParse()
    if (isNext) slices.wait(parseHeld, isFirst)
    const mustWait = held !== undefined && (node.isPaused() || running.length >= maxRunning())
    if (mustWait && !isWaiting) counts.pipelined++
    isWaiting = mustWait
    // Pausing and resuming take time. A small request waits for its turn without.
    if (held && !(isNext && held.length < maxHeldBytes)) socket.pause()
    else if (!held && socket.isPaused() && !node.isPaused() && !isBodyFull()) socket.resume()
    if (!held && socket.readableEnded && (running.length === 0 || receiving())) {
      state = 'parses no more'
      node.end()
    }
  }

  function halfClose() {
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
    state = 'parses no more'
    hold(undefined)
    socket.pause()
  }

  /** Parses no more bytes. Writes the response after those to all earlier requests, and closes the connection. */
  function refuse(createResponse: () => string) {
    abandon()
    const request = receiving()
    if (request) return failBody(request)
    // The connection is being closed already.
    if (!socket.writable) return
    counts.malformed++
    const write = () => {
      if (!socket.writable) return
      socket.write(createResponse())
      close()
    }
    if (last && !last.destroyed) last.once('close', write)
    else write()
  }

  socket.once('close', () => {
    hold(undefined)
    // Node emits "close" only for the response that is being sent.
    for (const { response } of running.filter(({ response }) => !response.socket)) response.destroy().emit('close')
  })

  return {
    /** The response to the last request that was started. */
    get last() {
      return last
    },
    /** Counts a request as running until its response has been sent or the connection is closed. */
    begin(response: Outgoing) {
      last = response
      onBusy(socket, true)
      const entry: Running = { response, release: undefined, onDisconnect: () => {} }
      running.push(entry)
      response.once('close', () => {
        running.splice(running.indexOf(entry), 1)
        entry.release?.()
        entry.onDisconnect()
        if (held || socket.readableEnded) goOn()
      })
    },
    /** Calls the listener when the client disconnects, or sends no more, which may mean the same. */
    onDisconnect(response: Outgoing, listener: () => void) {
      const entry = running.find((one) => one.response === response)
      if (entry) entry.onDisconnect = listener
      if (!entry || socket.readableEnded) listener()
    },
    /**
     * Sends the body and ends the response. Call it once for each request. From then on, the service does no more work for
     * the request, but its client may still have to send and to read.
     */
    send(response: Outgoing, body: Uint8Array) {
      const entry = running.find((one) => one.response === response)
      if (entry) entry.release = memory.keep(socket, sizeOf(response.req), body)
      const isBusy = running.some(({ release }) => !release)
      onBusy(socket, isBusy)
      if (body.length <= maxPartBytes) response.end(body)
      else void sendParts(response, body, slices)
    },
    /** Starts no more requests. The body of the last one may still arrive. */
    end() {
      if (state === 'open') state = 'last request started'
    },
    refuse,
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
