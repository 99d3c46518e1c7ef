// The way of a request, from top to bottom. Each stage adds to the context or throws a Problem; the first that
// throws answers.

import { readCredential } from './access/credentials.ts'
import type { Authenticator } from './access/authenticate.ts'
import { allowanceHeaders, type KeyLimit } from './access/rate-limit.ts'
import { checkGrant, checkScope, projectIn, scopeOf } from './access/scope.ts'
import type { Database } from '../db/database.ts'
import type { Freshness } from './freshness/freshness.ts'
import type { ResponseCache } from './responses/response-cache.ts'
import type { Log } from '../runtime/log.ts'
import type { RequestCounts } from './request-metrics.ts'
import { Problem, type Code } from './problems/problem.ts'
import type { SentResponse } from './responses/response.ts'
import { readBody } from './schema/body.ts'
import { openContext, type Context } from './context.ts'
import type { Incoming } from './incoming.ts'
import type { Cors } from './cors.ts'
import type { Endpoint } from './endpoint.ts'
import { ClientDisconnected, disconnectedResponse } from './problems/client-disconnected.ts'
import { respondPublicly, type FindPublicRoute } from './public-routes.ts'
import { asProblem, problemResponse } from './problems/problem-response.ts'
import { parseQuery } from './schema/query-string.ts'
import { createReader } from './reader.ts'
import { logRequest } from './request-log.ts'
import { createSeenTargets, type SeenTarget } from './parsed-targets.ts'
import { apiPath, createRouter, type Route, type RouteMatch } from './router.ts'
import type { Waiting } from '../resources/work-packets/waiting.ts'

export interface AppParts {
  routes: readonly Route[]
  db: Database
  waiting: Waiting
  freshness: Freshness
  answers: ResponseCache
  authenticator: Authenticator
  keyLimit: KeyLimit
  cors: Cors
  findPublicRoute: FindPublicRoute
  requests: RequestCounts
  log: Log
}

export type App = (incoming: Incoming) => Promise<SentResponse>

const maxTargetLength = 8_192
// While a body comes for longer than this, what the key may can change.
const slowBodyMs = 1_000

export function createApp({
  routes,
  db,
  waiting,
  freshness,
  answers,
  authenticator,
  keyLimit,
  cors,
  findPublicRoute,
  requests,
  log,
}: AppParts): App {
  const findRoute = createRouter(routes, apiPath)
  const read = createReader(db, answers, waiting)
  const targets = createSeenTargets()

  async function respond(context: Context, seen: SeenTarget | undefined): Promise<SentResponse> {
    const { incoming, path, isPlain, search } = context
    if (incoming.target.length > maxTargetLength) throw tooLong()
    if (path !== apiPath && !path.startsWith(`${apiPath}/`)) return respondPublicly(findPublicRoute, context)
    const preflight = cors.preflight(incoming)
    if (preflight) return preflight

    const credential = readCredential(incoming.headers, search)
    const claim = await authenticator.claim(credential, incoming.address)
    const projectId = projectIn(path.slice(apiPath.length))
    const confirmed = await freshness.check(scopeOf(projectId), incoming.isDisconnected)
    const key = (context.key = await authenticator.prove(claim, confirmed, incoming.address))
    context.allowance = await keyLimit.take(key)
    checkScope(key, projectId)
    const place = seen?.place ?? (isPlain ? await findRoute(path) : undefined)
    if (!place) throw new Problem('NOT_FOUND', 'There is nothing at this path.')
    context.route = place.route
    if (incoming.method === 'OPTIONS') return { status: 204, headers: { allow: place.methods.join(', ') }, body: '' }
    const endpoint = endpointFor(incoming.method, place)
    checkGrant(key, endpoint.operation)
    const query = seen?.query ?? parseQuery(endpoint.query, search)
    const checkAgain = async () => {
      const again = await freshness.check(scopeOf(projectId))
      const keyNow = await authenticator.prove(claim, again, incoming.address)
      checkScope(keyNow, projectId)
      checkGrant(keyNow, endpoint.operation)
      return keyNow
    }
    const asked = performance.now()
    const body = await readBody(endpoint.body, incoming)
    const wasSlow = performance.now() - asked > slowBodyMs
    const { params } = place
    if (endpoint.write) {
      const writer = wasSlow ? await checkAgain() : key
      const order = { key: writer, projectId, path, params, body: body as never, headers: incoming.headers }
      return endpoint.write(order, db)
    }
    const { question } = seen ?? targets.keep(incoming, { path, search, place, query })
    return read(endpoint, { key, projectId, path, params, query, question, confirmed, incoming, checkAgain })
  }

  return async function handle(incoming) {
    const started = performance.now()
    const seen = targets.find(incoming)
    const context = openContext(incoming, seen)
    requests.begin()
    let code: Code | undefined
    let cause: unknown
    let answer: SentResponse
    try {
      answer = await respond(context, seen)
    } catch (error) {
      const problem = asProblem(error)
      cause = problem.cause
      if (!(error instanceof ClientDisconnected)) code = problem.code
      answer = code ? problemResponse(problem, context.requestId) : disconnectedResponse
    }
    const ms = performance.now() - started
    logRequest(log, context, answer.status, ms, cause)
    const { route, key } = context
    requests.end({ method: incoming.method, route, status: answer.status, ms, code, hadKey: key !== undefined })
    return { ...answer, headers: { ...answer.headers, ...commonHeaders(context, answer.headers['vary']) } }
  }

  function commonHeaders({ incoming, requestId, allowance }: Context, vary: string | undefined) {
    const ofOrigin = cors.headers(incoming)
    return {
      'x-request-id': requestId,
      'x-content-type-options': 'nosniff',
      ...(allowance && allowanceHeaders(allowance)),
      ...ofOrigin,
      ...(vary && ofOrigin['vary'] && { vary: `${vary}, ${ofOrigin['vary']}` }),
    }
  }
}

function endpointFor(method: string, { endpoints, methods }: RouteMatch): Endpoint {
  const endpoint = endpoints.get(method === 'HEAD' ? 'GET' : method)
  if (endpoint) return endpoint
  const allow = methods.join(', ')
  throw new Problem('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } })
}

function tooLong(): Problem {
  return new Problem('URI_TOO_LONG', `The URL may have ${maxTargetLength} characters.`)
}
