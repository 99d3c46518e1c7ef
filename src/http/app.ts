// The way of a request, from top to bottom. Each stage adds to the context or throws a Problem; the first that
// throws answers.

import { readCredential } from '../access/credentials.ts'
import type { Authenticator } from '../access/authenticate.ts'
import { allowanceHeaders, type KeyLimit } from '../access/rate-limit.ts'
import { checkGrant, checkScope, projectIn, scopeOf } from '../access/scope.ts'
import type { Database } from '../db/database.ts'
import type { Freshness } from '../freshness/freshness.ts'
import type { KeptAnswers } from '../freshness/kept-answers.ts'
import { apiPath, routes } from '../routes.ts'
import type { Log } from '../log.ts'
import type { RequestCounts } from '../metrics/requests.ts'
import { Problem, type Code } from '../problem.ts'
import type { Sent } from './answer.ts'
import { readBody } from './body.ts'
import { openContext, type Context, type Incoming } from './context.ts'
import type { Cors } from './cors.ts'
import type { Endpoint } from './endpoint.ts'
import { Gone, goneAnswer } from './gone.ts'
import { answerOpenly, type FindOpenPath } from './open-paths.ts'
import { asProblem, problemAnswer } from './problem-answer.ts'
import { parseQuery } from './query-string.ts'
import { createReader } from './reader.ts'
import { logRequest } from './request-log.ts'
import { createSeenTargets, type SeenTarget } from './seen-targets.ts'
import { createRouter, type Place } from './router.ts'
import type { Waiting } from '../work-packets/waiting.ts'

export interface AppParts {
  db: Database
  waiting: Waiting
  freshness: Freshness
  answers: KeptAnswers
  authenticator: Authenticator
  keyLimit: KeyLimit
  cors: Cors
  findOpenPath: FindOpenPath
  requests: RequestCounts
  log: Log
}

export type App = (incoming: Incoming) => Promise<Sent>

const longestTarget = 8_192
// While a body comes for longer than this, what the key may can change.
const slowBodyMs = 1_000

export function createApp({
  db,
  waiting,
  freshness,
  answers,
  authenticator,
  keyLimit,
  cors,
  findOpenPath,
  requests,
  log,
}: AppParts): App {
  const findPlace = createRouter(routes, apiPath)
  const read = createReader(db, answers, waiting)
  const targets = createSeenTargets()

  async function respond(context: Context, seen: SeenTarget | undefined): Promise<Sent> {
    const { incoming, path, isPlain, search } = context
    if (incoming.target.length > longestTarget) throw tooLong()
    if (path !== apiPath && !path.startsWith(`${apiPath}/`)) return answerOpenly(findOpenPath, context)
    const preflight = cors.preflight(incoming)
    if (preflight) return preflight

    const credential = readCredential(incoming.headers, search)
    const claim = await authenticator.claim(credential, incoming.address)
    const projectId = projectIn(path.slice(apiPath.length))
    const confirmed = await freshness.check(scopeOf(projectId), incoming.isGone)
    const key = (context.key = await authenticator.prove(claim, confirmed, incoming.address))
    context.allowance = await keyLimit.take(key)
    checkScope(key, projectId)
    const place = seen?.place ?? (isPlain ? await findPlace(path) : undefined)
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
    let answer: Sent
    try {
      answer = await respond(context, seen)
    } catch (error) {
      const problem = asProblem(error)
      cause = problem.cause
      if (!(error instanceof Gone)) code = problem.code
      answer = code ? problemAnswer(problem, context.requestId) : goneAnswer
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

function endpointFor(method: string, { endpoints, methods }: Place): Endpoint {
  const endpoint = endpoints.get(method === 'HEAD' ? 'GET' : method)
  if (endpoint) return endpoint
  const allow = methods.join(', ')
  throw new Problem('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } })
}

function tooLong(): Problem {
  return new Problem('URI_TOO_LONG', `The URL may have ${longestTarget} characters.`)
}
