// The only way to a tracker: GET requests to one origin, with limits for addresses, sizes, times and numbers of requests.

import { lookup as systemLookup } from 'node:dns'
import { Agent, request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { version } from '../../runtime/program.ts'
import { nextLink, parseOrigin, pathOf } from './addresses.ts'
import { isPublicAddress, lookupPublic, privateAddressError } from './public-address.ts'
import { parseJson, readBody } from './read-body.ts'
import { rememberAnswers, type RememberedAnswer, type TrackerHeaders } from './remembered-answers.ts'
import { createRequestLimit } from './request-limit.ts'
import { describeFailure, TrackerError } from './tracker-error.ts'

export interface TrackerHttpOptions {
  /** Scheme, host and port: https://tracker.example.com */
  origin: string
  /** Called for each request; contains the token. */
  headers: () => Record<string, string> | Promise<Record<string, string>>
  /** Ends running and later requests with its reason. */
  signal: AbortSignal
  /** Permits addresses of this machine and of private networks. */
  allowLocal?: boolean
  /** The part of the tracker's request limit that we may use. */
  share?: number
  /** For all of a request, from the lookup of the name to the last byte of the answer. */
  timeoutMs?: number
  maxRememberedBytes?: number
  /** A monotonic clock, in milliseconds. */
  now?: () => number
  lookup?: LookupFunction
}

export interface TrackerAnswer {
  status: number
  /** The JSON of a successful answer; undefined for others, and without a body. */
  data: unknown
  headers: TrackerHeaders
  /** The tracker's clock, of which nothing is known without a valid Date header. */
  date: Date | undefined
  /** The tracker confirmed that the data of the last answer is still current. */
  notModified: boolean
}

export type TrackerHttp = ReturnType<typeof createTrackerHttp>

const agentOptions = {
  keepAlive: true,
  // Servers wait at least 5 s before they close an idle connection. We close it first: a request that is sent while the
  // server closes would fail.
  timeout: 4_000,
}
// Some trackers refuse requests without a user agent.
const ownHeaders = { accept: 'application/json', 'user-agent': `workgate/${version}` }

export function createTrackerHttp(options: TrackerHttpOptions) {
  const { headers, signal, allowLocal = false, share = 0.5, timeoutMs = 20_000 } = options
  const { maxRememberedBytes = 8 * 1_048_576, now = () => performance.now(), lookup = systemLookup } = options
  const origin = parseOrigin(options.origin)
  const host = origin.hostname.replace(/^\[(.*)\]$/, '$1')
  // Node looks up names only.
  if (!allowLocal && isIP(host) && !isPublicAddress(host)) throw privateAddressError(host)
  const isSecure = origin.protocol === 'https:'
  const agent = new (isSecure ? SecureAgent : Agent)({
    ...agentOptions,
    lookup: allowLocal ? lookup : lookupPublic(lookup),
  })
  const limit = createRequestLimit(share, now)
  const remembered = rememberAnswers(maxRememberedBytes)
  /** Bytes are those of complete bodies, decompressed. */
  const counts = { requests: 0, notModified: 0, bytes: 0 }

  /** Redirects, and refusals such as 404, are returned; the tracker's failures and limits are thrown as TrackerError. */
  async function get(path: string): Promise<TrackerAnswer> {
    if (!path.startsWith('/')) throw new TrackerError('a path begins with /')
    const target = pathOf(origin, path)
    const waitMs = limit.waitMs()
    if (waitMs > 0) throw new TrackerError("waiting for the tracker's request limit", 0, waitMs)
    const callerHeaders = await headers()
    signal.throwIfAborted()
    return withinTime((ending) => send(target, callerHeaders, ending))
  }

  /** Ends on time, with the reason, even if Node reports nothing about the aborted request. */
  async function withinTime<T>(run: (ending: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const late = new TrackerError(`the tracker does not answer within ${timeoutMs / 1_000} s`)
    const timer = setTimeout(() => controller.abort(late), timeoutMs)
    const stop = () => controller.abort(signal.reason)
    signal.addEventListener('abort', stop)
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
    })
    try {
      return await Promise.race([ended, run(controller.signal)])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  async function send(
    path: string,
    callerHeaders: Record<string, string>,
    ending: AbortSignal,
  ): Promise<TrackerAnswer> {
    const known = remembered.get(path)
    let status = 0
    counts.requests++
    try {
      const response = await open({
        protocol: origin.protocol,
        hostname: host,
        port: origin.port,
        path,
        headers: {
          ...ownHeaders,
          ...callerHeaders,
          'accept-encoding': 'gzip',
          ...(known && { 'if-none-match': known.etag }),
        },
        agent,
        signal: ending,
        maxHeaderSize: 16_384,
      })
      status = response.statusCode!
      return await receive(path, response, known, ending)
    } catch (error) {
      throw describeFailure(error, status)
    }
  }

  function open(request: RequestOptions): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = isSecure ? requestSecure(request) : requestPlain(request)
      sent.on('response', resolve).on('error', reject)
      // Node reports no error if the answer changes the protocol.
      sent.on('close', () => reject(new TrackerError('the tracker ends the connection without an answer')))
      sent.end()
    })
  }

  async function receive(
    path: string,
    response: IncomingMessage,
    known: RememberedAnswer | undefined,
    ending: AbortSignal,
  ): Promise<TrackerAnswer> {
    const status = response.statusCode!
    const fresh = new Map(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
    const date = dateIn(fresh)
    const retryMs = limit.observe({ status, headers: fresh, date })
    if (retryMs !== undefined || status >= 500 || (status === 304 && !known)) {
      response.destroy()
      throw new TrackerError(`the tracker answers with ${status}`, status, retryMs)
    }
    const received = await readBody(response, ending)
    counts.bytes += received.length
    const notModified = status === 304
    if (notModified) counts.notModified++
    const body = notModified ? known!.body : received
    const headers = notModified ? new Map([...known!.headers, ...fresh]) : fresh
    const isSuccess = notModified || (status >= 200 && status < 300)
    const data = isSuccess && status !== 204 ? parseJson(body, status) : undefined
    if (notModified || status === 200) remembered.set(path, body, headers)
    return { status: notModified ? 200 : status, data, headers, date, notModified }
  }

  return {
    get,
    counts: counts as Readonly<typeof counts>,
    pace: limit.pace,
    /** Returns the path of an address that the tracker sent in an answer to `from`, such as a Location. */
    pathOf: (address: string, from?: string) => pathOf(origin, address, from),
    /** Returns the path of the next page according to the Link header of an answer to `from`. */
    nextPath(answer: TrackerAnswer, from: string): string | undefined {
      const address = nextLink(answer.headers.get('link') ?? '')
      return address === undefined ? undefined : pathOf(origin, address, from)
    },
    close: () => agent.destroy(),
  }
}

function dateIn(headers: TrackerHeaders): Date | undefined {
  const date = new Date(headers.get('date') ?? '')
  return Number.isNaN(date.getTime()) ? undefined : date
}
