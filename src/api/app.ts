// Runs the request pipeline, from top to bottom. Each stage adds to the context or throws a Problem, which becomes the
// response.

import type { Database } from '../db/database.ts'
import { ownerOfKey } from '../db/pool/owner.ts'
import { ownedBy } from '../db/pool/pool.ts'
import type { Authenticate } from './access/authenticate.ts'
import { readCredential } from './access/credentials.ts'
import type { KeyDetector } from './access/key-detector.ts'
import { allowanceHeaders, type KeyLimit } from './access/rate-limit.ts'
import { checkOperation, checkScope } from './access/scope.ts'
import { chooseRequestId, type Context } from './context.ts'
import { isPreflight, type Cors } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import type { Incoming } from './incoming.ts'
import { ClientDisconnected, disconnectedResponse, Problem, type Code } from './problems/problem.ts'
import { asProblem, problemResponse } from './problems/problem-response.ts'
import { linkToNextPage } from './lists/next-page.ts'
import type { FindPublicUrl } from './public-url.ts'
import { noSuchPath, respondPublicly, type FindPublicRoute } from './public-routes.ts'
import { createReadResponder } from './respond-to-read.ts'
import type { RequestLog } from './request-log.ts'
import type { RequestCounts } from './request-metrics.ts'
import type { ResponseCache } from './responses/response-cache.ts'
import type { Headers, SentResponse } from './responses/response.ts'
import { createRouter, endpointFor, methodNotAllowed, methodsResponse, type Route, type RouteMatch } from './router.ts'
import { refuseBody } from './input/body.ts'
import { createTargets, isApiPath, withIds, type ResolvedTarget } from './target.ts'

export interface AppParts<Services> {
  routes: readonly Route<Services>[]
  /** Passed to the long polls of the routes. */
  services: Services
  db: Database
  cache: ResponseCache
  authenticate: Authenticate
  isKey: KeyDetector
  keyLimit: KeyLimit
  cors: Cors
  findPublicUrl: FindPublicUrl
  findPublicRoute: FindPublicRoute
  requests: RequestCounts
  requestLog: RequestLog
}

export type App = (incoming: Incoming) => Promise<SentResponse>

const maxTargetLength = 8_192
// If a body takes longer than this to arrive, the key is checked again, since its grants may have changed.
const slowBodyMs = 1_000

export function createApp<Services>(parts: AppParts<Services>): App {
  const { db, authenticate, isKey, keyLimit, cors, findPublicUrl, findPublicRoute, requests, requestLog } = parts
  const targets = createTargets(createRouter(parts.routes))
  const respondToRead = createReadResponder(db, parts.cache, parts.services)

  async function respond(context: Context, target: ResolvedTarget<Services>): Promise<SentResponse> {
    const { incoming } = context
    if (incoming.target.length > maxTargetLength) throw uriTooLong()
    if (!isApiPath(target.path))
      return respondPublicly(findPublicRoute, context, target.isCanonical, findPublicUrl(incoming.headers))
    const preflight = cors.preflight(incoming)
    if (preflight) return preflight
    // Clients send both without a key. The methods of a path are public.
    if (isPreflight(incoming)) return methodsResponse(matchOf(context, target))
    if (incoming.method === 'TRACE') throw methodNotAllowed(matchOf(context, target))

    const credential = readCredential(incoming.headers, target.search)
    const claim = { ...target, credential, address: incoming.address }
    const { key, confirmed } = await authenticate({ ...claim, isDisconnected: incoming.isDisconnected })
    context.key = key
    const owner = ownerOfKey(key.id)
    db.markActive(owner)
    const allowance = keyLimit.consume(key)
    context.allowance = allowance instanceof Promise ? await allowance : allowance
    const idPath = withIds(target, confirmed.ids)
    checkScope(key, idPath.projectId)
    const match = matchOf(context, target)
    context.path = idPath.path
    if (incoming.method === 'OPTIONS') return methodsResponse(match)
    const endpoint = endpointFor(incoming.method, match)
    context.deprecation = deprecationHeaders(endpoint.docs, target.path, target.search)
    const operation = endpoint.kind === 'write' ? endpoint.operation : undefined
    checkOperation(key, operation)
    const recheck = async (target: ResolvedTarget<Services>) => {
      const { key, confirmed } = await authenticate({ ...claim, ...target })
      const idPath = withIds(target, confirmed.ids)
      checkScope(key, idPath.projectId)
      checkOperation(key, operation)
      return { key, idPath }
    }

    if (endpoint.kind === 'write') {
      const parseStarted = performance.now()
      const write = await endpoint.parse(target.search, incoming, owner)
      const wasSlow = performance.now() - parseStarted > slowBodyMs
      const current = wasSlow ? await recheck(target) : { idPath, key }
      const response = await write(current.idPath, current.key, ownedBy(db, owner))
      const { location } = response.headers
      if (location === undefined) return response
      return { ...response, headers: { ...response.headers, location: findPublicUrl(incoming.headers) + location } }
    }
    const read = target.read ?? endpoint.parse(target.search)
    refuseBody(incoming)
    if (!target.read) targets.remember(incoming, { ...target, read })
    // A long poll keeps watching the task that its names meant when the request arrived.
    const recheckKey = async () => (await recheck({ ...target, ...idPath, names: undefined })).key
    const caller = { key, confirmed, recheck: recheckKey, onDisconnect: incoming.onDisconnect }
    return await respondToRead(read(idPath, key), caller, incoming, (cursor) =>
      linkToNextPage(findPublicUrl(incoming.headers), target, cursor),
    )
  }

  return async function handle(incoming) {
    const started = performance.now()
    requests.begin()
    const resolved = targets.resolve(incoming)
    const target = resolved instanceof Promise ? await resolved : resolved
    const context: Context = { incoming, requestId: chooseRequestId(incoming, isKey), path: target.path }
    let code: Code | undefined
    let cause: unknown
    let response: SentResponse
    try {
      response = await respond(context, target)
    } catch (error) {
      const problem = asProblem(error)
      cause = problem.cause
      if (!(error instanceof ClientDisconnected)) code = problem.code
      response = code
        ? problemResponse(problem, context.requestId, findPublicUrl(incoming.headers))
        : disconnectedResponse
    }
    const { status } = response
    const durationMs = performance.now() - started
    requestLog.write(context, { status, durationMs, code, cause })
    const { route, key } = context
    requests.end({ method: incoming.method, route, status, durationMs, code, isAuthenticated: key !== undefined })
    return { ...response, headers: { ...response.headers, ...commonHeaders(context, response.headers) } }
  }

  function matchOf(context: Context, { match }: ResolvedTarget<Services>): RouteMatch<Services> {
    if (!match) throw noSuchPath()
    context.route = match.route
    return match
  }

  function commonHeaders({ incoming, requestId, allowance, deprecation }: Context, { vary, link }: Headers) {
    const corsHeaders = cors.headers(incoming)
    return {
      'x-request-id': requestId,
      'x-content-type-options': 'nosniff',
      ...(allowance && allowanceHeaders(allowance)),
      ...deprecation,
      ...(link && deprecation && { link: `${link}, ${deprecation['link']}` }),
      ...corsHeaders,
      ...(vary && corsHeaders['vary'] && { vary: `${vary}, ${corsHeaders['vary']}` }),
    }
  }
}

function uriTooLong(): Problem {
  return new Problem('URI_TOO_LONG', `The URL is longer than ${maxTargetLength} characters.`)
}
