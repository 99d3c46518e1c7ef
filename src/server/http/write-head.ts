// Writes the heads of responses. Node gets only the headers on which it acts, and the others are added to the head that it
// made. Node would check the name of each, and compare it with the names of its own: a fifth of the time of a response.

import { validateHeaderValue, type ServerResponse } from 'node:http'
import type { Headers } from '../../api/responses/response.ts'
import { changeHead } from './node-internals.ts'

const endOfHead = '\r\n'
// Node adds it to every response, but it is not part of HTTP/1.1 (RFC 9112).
const keepAliveLine = /^Keep-Alive: .*\r\n/im

/** The names are constants of this program, so only the values are checked. A length of undefined means no body. */
export function writeHead(
  response: ServerResponse,
  status: number,
  headers: Headers,
  headerText: string,
  contentLength: number | undefined,
) {
  const { connection } = headers
  response.writeHead(status, [
    ...(contentLength === undefined ? [] : ['content-length', `${contentLength}`]),
    ...(connection === undefined ? [] : ['connection', connection]),
  ])
  const lines = toLines(headers) + headerText
  changeHead(response, (head) => `${head.slice(0, -endOfHead.length).replace(keepAliveLine, '')}${lines}${endOfHead}`)
}

function toLines(headers: Headers): string {
  let lines = ''
  for (const name in headers) {
    if (name === 'connection') continue
    const value = headers[name]!
    validateHeaderValue(name, value)
    lines += `${name}: ${value}\r\n`
  }
  return lines
}
