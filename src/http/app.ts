// The way of a request, from top to bottom. Each stage adds to the context or throws a Problem; the first that
// throws answers.

import { readCredential } from '../access/credentials.ts'
import type { Authenticator } from '../access/authenticate.ts'
import { allowanceHeaders, type KeyLimit } from '../access/rate-limit.ts'
import { checkGrant, checkScope } from '../access/scope.ts'
import { apiPath, routes } from '../routes.ts'
import type { Log } from '../log.ts'
import { Problem } from '../problem.ts'
import type { Sent } from './answer.ts'
import { readBody } from './body.ts'
import { openContext, type Context, type Incoming } from './context.ts'
import type { Cors } from './cors.ts'
import type { Endpoint, Services } from './endpoint.ts'
import type { Health } from './health.ts'
import { asProblem, problemAnswer } from './problem-answer.ts'
import { parseQuery } from './query-string.ts'
import { represent } from './representation.ts'
import { logRequest } from './request-log.ts'
import { createRouter, type Place } from './router.ts'

export interface AppParts extends Services {
  authenticator: Authenticator
  keyLimit: KeyLimit
  cors: Cors
  health: Health
  log: Log
}

export type App = (incoming: Incoming) => Promise<Sent>

const longestTarget = 8_192

export function createApp({ authenticator, keyLimit, cors, health, log, ...services }: AppParts): App {
  const findPlace = createRouter(routes, apiPath)

  async function respond(context: Context): Promise<Sent> {
    const { incoming, path, search } = context
    if (incoming.target.length > longestTarget) throw tooLong()
    if (path !== apiPath && !path.startsWith(`${apiPath}/`)) return health.answer(path, incoming.method)
    const preflight = cors.preflight(incoming)
    if (preflight) return preflight

    const credential = readCredential(incoming.headers, search)
    const key = (context.key = await authenticator.authenticate(credential, incoming.address))
    context.allowance = await keyLimit.take(key)
    const projectId = checkScope(key, path.slice(apiPath.length))
    const place = await findPlace(path)
    if (!place) throw new Problem('NOT_FOUND', 'There is nothing at this path.')
    context.route = place.route
    if (incoming.method === 'OPTIONS') return { status: 204, headers: { allow: place.methods.join(', ') }, body: '' }
    const endpoint = endpointFor(incoming.method, place)
    checkGrant(key, endpoint.write?.operation)
    const query = parseQuery(endpoint.query, search)
    const body = await readBody(endpoint.write?.body, incoming)
    const { headers, whenGone } = incoming
    const checkAgain = async () => {
      checkScope(await authenticator.authenticate(credential, incoming.address), path.slice(apiPath.length))
    }
    const given = { params: place.params, query: query as never, body: body as never, headers }
    const answer = await endpoint.handle({ key, projectId, path, ...given, checkAgain, whenGone }, services)
    return endpoint.write ? answer : represent(incoming, answer)
  }

  return async function handle(incoming) {
    const started = performance.now()
    const context = openContext(incoming)
    let cause: unknown
    let answer: Sent
    try {
      answer = await respond(context)
    } catch (error) {
      const problem = asProblem(error)
      cause = problem.cause
      answer = problemAnswer(problem, context.requestId)
    }
    logRequest(log, context, answer.status, performance.now() - started, cause)
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
