// Responds to malformed and slow requests, which never reach the app, in the error format of the API.

import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, type Code } from '../../api/problems/problem.ts'
import { completeResponse, type CompleteResponse } from '../../api/responses/response.ts'
import { problemResponse } from '../../api/problems/problem-response.ts'
import { controlCharacterIn } from '../../api/access/credentials.ts'
import { aControlCharacter, controlCharacter } from '../../api/access/key-text.ts'
import type { Connection } from './connection.ts'

// Expect: 100-continue is not confirmed in advance, so the client sends the body only once the endpoint reads it.
export const requestEvents = ['request', 'checkContinue', 'checkExpectation']

export const maxHeaders = 100
/** The last response of a connection says so. */
export const closing = ['connection', 'close']

const codes: Record<string, Code> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** An error of Node's parser. */
interface ParseError extends NodeJS.ErrnoException {
  /** The received bytes in which the error is. */
  rawPacket?: Buffer
  /** How many of them are valid. */
  bytesParsed?: number
}

export function respondToMalformed(
  server: Server,
  connectionOf: (socket: Socket) => Connection,
  publicUrl: string,
  hstsFields: readonly string[],
) {
  server.on('connect', ({ socket }) => {
    // Node has removed its own listener. Without one, an error of the socket would end the process.
    socket.on('error', () => socket.destroy())
    refuse(socket, malformed('MALFORMED_REQUEST'))
  })
  server.on('clientError', (error: ParseError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else refuse(socket, problemOf(error))
  })

  const refuse = (socket: Socket, problem: Problem) =>
    connectionOf(socket).refuse(() => toText(createMalformedResponse(problem, publicUrl), hstsFields))
}

function toText({ status, fields, body }: CompleteResponse, hstsFields: readonly string[]): string {
  const own = ['date', new Date().toUTCString(), 'content-length', `${Buffer.byteLength(body)}`, ...closing]
  const all = [...fields, ...hstsFields, ...own]
  const lines = all.map((text, n) => text + (n % 2 === 0 ? ': ' : '\r\n'))
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

/** Checks requests for errors that Node's parser accepts. */
export function checkHead(request: IncomingMessage): Problem | undefined {
  if (request.rawHeaders.length > 2 * maxHeaders) return malformed('HEADERS_TOO_LARGE')
  if (hasOtherTransferEncoding(request)) return malformed('NOT_IMPLEMENTED')
  return hasOneHost(request) && hasKnownScheme(request) ? undefined : malformed('MALFORMED_REQUEST')
}

/** Node's parser accepts "gzip, chunked", and removes only the chunks. */
function hasOtherTransferEncoding({ headersDistinct: { 'transfer-encoding': encodings } }: IncomingMessage): boolean {
  return encodings !== undefined && encodings.join().toLowerCase() !== 'chunked'
}

/** A proxy may send an absolute URL. "*" is the target of OPTIONS. */
const hasKnownScheme = ({ url = '' }: IncomingMessage): boolean => /^(\/|\*|https?:\/\/)/i.test(url)

/** HTTP/1.1 requires exactly one Host. If there are two, a proxy may have used either. */
function hasOneHost({ httpVersion, headersDistinct: { host = [] } }: IncomingMessage): boolean {
  return host.length === 1 || (host.length === 0 && httpVersion === '1.0')
}

const malformed = (code: Code) => new Problem(code, 'The connection is closed.')

function problemOf(error: ParseError): Problem {
  const code = codes[error.code ?? '']
  const header = code ? undefined : findBrokenKeyHeader(error)
  if (header === undefined) return malformed(code ?? 'MALFORMED_REQUEST')
  return new Problem('MALFORMED_REQUEST', controlCharacterIn(header), {
    faults: [{ in: 'header', name: header, message: `contains ${aControlCharacter}` }],
  })
}

/** Forwarded headers are not used: a malformed request may not have come through the proxies. */
export function createMalformedResponse(problem: Problem, publicUrl: string): CompleteResponse {
  const requestId = crypto.randomUUID()
  return completeResponse(problemResponse(problem, requestId, publicUrl), requestId)
}

/** The last line of the valid bytes, if it begins with a header that contains a key. */
const lastLine = /(?:^|\n)(authorization|x-api-key):[^\n]*$/i
/** The same, followed by the beginning of another line. */
const lineBefore = /(?:^|\n)(authorization|x-api-key):[^\n]*\n([^\n:]*)$/i
const names: Record<string, string> = { authorization: 'Authorization', 'x-api-key': 'X-API-Key' }

/**
 * Node's parser refuses a key with a line break or another control character before the app sees its header. Returns the
 * name of the header. Knows only the last received bytes, so a key in several packets may not be found.
 */
function findBrokenKeyHeader({ rawPacket, bytesParsed }: ParseError): string | undefined {
  if (!rawPacket || bytesParsed === undefined) return undefined
  const valid = rawPacket.toString('latin1', 0, bytesParsed)
  const next = rawPacket.toString('latin1', bytesParsed, bytesParsed + 1)
  const name = nameInLastLine(valid, next) ?? nameInLineBefore(valid, next)
  return name && names[name.toLowerCase()]
}

/** The character that is not allowed is the next one, or the carriage return before it. */
function nameInLastLine(valid: string, next: string): string | undefined {
  return controlCharacter.test(valid.slice(-1) + next) ? lastLine.exec(valid)?.[1] : undefined
}

/** A line that begins with a space, or that ends without a colon, is the rest of the line before it. */
function nameInLineBefore(valid: string, next: string): string | undefined {
  const [, name, rest] = lineBefore.exec(valid) ?? []
  const isRest = rest === '' ? /[ \t]/.test(next) : /[\r\n]/.test(next)
  return isRest ? name : undefined
}
