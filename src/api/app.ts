// Responds to requests. The stages of a request are listed in createApp(), in order: each adds to what is known about the
// request, returns the response, or throws a Problem, which becomes the response.

import { ownerOfKey } from '../db/pool/connection-shares.ts'
import { projectsOwnedBy } from '../db/projects.ts'
import type { Authenticate } from './access/authenticate.ts'
import { readCredential, type KeyDetector } from './access/credentials.ts'
import { allowanceHeaders } from './access/rate-limit.ts'
import { outOfScope } from './access/key.ts'
import { isPreflight, type Cors } from './cors.ts'
import { deprecationHeaders } from './deprecation.ts'
import type { Incoming } from './incoming.ts'
import { isUuid } from './input/values.ts'
import { asProblem, problemResponse } from './problems/problem-response.ts'
import { ClientDisconnected, disconnectedResponse, invalid, notFound, Problem } from './problems/problem.ts'
import { createReads, nameOfRead, type ReadParts } from './reads.ts'
import { chooseRequestId, type RequestLog } from './request-log.ts'
import type { EndedRequest, RequestCounts } from './request-metrics.ts'
import {
  completeResponse,
  type CompleteResponse,
  type FindPublicRoute,
  type SentResponse,
} from './responses/response.ts'
import {
  createRouter,
  endpointFor,
  isApiPath,
  methodNotAllowed,
  methodsResponse,
  resolveTarget,
  unknownPath,
  withIds,
  type Route,
} from './router.ts'
import type {
  Admitted,
  Claimed,
  Limited,
  Located,
  OnProgress,
  Parsed,
  Permitted,
  Progress,
  Received,
  Routed,
} from './stages.ts'

export type App = (incoming: Incoming) => Promise<CompleteResponse>

interface AppParts extends ReadParts {
  routes: readonly Route[]
  authenticate: Authenticate
  isKey: KeyDetector
  cors: Cors
  findPublicRoute: FindPublicRoute
  requests: RequestCounts
  requestLog: RequestLog
}

const maxTargetLength = 8_192
const publicMethods = ['GET', 'HEAD', 'OPTIONS']
// If a body takes longer than this to arrive, the key is checked again, since its grants may have changed.
const slowBodyMs = 1_000

export function createApp(parts: AppParts): App {
  const { db, authenticate, isKey, limitKey, cors, findPublicUrl, findPublicRoute, requests, requestLog } = parts
  const findRoute = createRouter(parts.routes)
  const reads = createReads(parts)

  const stages = stack<Received>()
    .add(findTarget)
    .add(checkLength)
    .add(servePublicRoutes)
    .add(answerPreflights)
    .add(readKey)
    .add(admit)
    .add(limitRate)
    .add(requireScope)
    .add(requireRoute)
    .add(requireMethod)
    .add(requireGrant)
    .add(readInput)
    .add(({ operate }) => operate())

  return async function handle(incoming) {
    const started = performance.now()
    requests.begin()
    const requestId = chooseRequestId(incoming, isKey)
    const received = { incoming, requestId, name: nameOfRead(incoming), earlier: undefined }
    let progress: Progress = received
    const onProgress = (state: Progress) => void (progress = state)
    let ended: Pick<EndedRequest, 'code' | 'cause'> = { code: undefined, cause: undefined }
    let response: SentResponse
    try {
      const recalled = reads.recall(received)
      const known = recalled && (await reads.respondAgain(received, recalled, onProgress))
      response = isResponse(known) ? known : await stages.run({ ...received, earlier: known }, onProgress)
    } catch (error) {
      const problem = asProblem(error)
      const hasLeft = error instanceof ClientDisconnected
      ended = { code: hasLeft ? undefined : problem.code, cause: problem.cause }
      response = hasLeft ? disconnectedResponse : problemResponse(problem, requestId, publicUrlFor(received))
    }
    const { target, path, match, publicRoute, admission } = progress
    const request: EndedRequest = {
      requestId,
      method: incoming.method,
      headers: incoming.headers,
      address: incoming.address,
      ...ended,
      // With names until the key is known to be allowed to learn their ids.
      path: (match ? path : target)?.path ?? '',
      route: (publicRoute ?? match)?.route,
      key: admission?.key,
      status: response.status,
      durationMs: performance.now() - started,
    }
    requestLog.write(request)
    requests.end(request)
    const { allowance, deprecation } = progress
    return completeResponse(response, requestId, [
      allowance && allowanceHeaders(allowance),
      deprecation,
      cors.headers(incoming),
    ])
  }

  async function findTarget(state: Received): Promise<Located> {
    const target = state.earlier?.target ?? (await resolveTarget(state.incoming.target, findRoute))
    const isPublic = target.isCanonical && !isApiPath(target.path)
    return { ...state, target, publicRoute: isPublic ? await findPublicRoute(target.path) : undefined }
  }

  function checkLength(state: Located) {
    if (state.incoming.target.length <= maxTargetLength) return state
    throw new Problem('URI_TOO_LONG', `The URL is longer than ${maxTargetLength} characters.`)
  }

  /** Health checks and the documentation, which need no key. */
  async function servePublicRoutes(state: Located): Promise<Located | SentResponse> {
    if (isApiPath(state.target.path)) return state
    const { method, headers } = state.incoming
    const { get } = existing(state.publicRoute)
    if (method === 'OPTIONS') return methodsResponse(publicMethods)
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(publicMethods)
    return get(headers, publicUrlFor(state))
  }

  /** Clients send preflights, and TRACE, without a key. The methods of a path are public. */
  function answerPreflights(state: Located) {
    const { incoming, target } = state
    const preflight = cors.preflight(incoming)
    if (preflight) return preflight
    if (isPreflight(incoming)) return methodsResponse(existing(target.match).methods)
    if (incoming.method === 'TRACE') throw methodNotAllowed(existing(target.match).methods)
    return state
  }

  function readKey(state: Located): Claimed {
    return { ...state, credential: readCredential(state.incoming.headers, state.target.search) }
  }

  /** Identifies the key, and confirms the version of the data that the response depends on. */
  async function admit(state: Claimed): Promise<Admitted> {
    const { incoming, target, credential, earlier } = state
    const { address, isDisconnected } = incoming
    const check = earlier?.admission
    const admission = await authenticate({ ...target, credential, address, isDisconnected, check })
    db.markActive(ownerOfKey(admission.key.id))
    return { ...state, admission, path: withIds(target, admission.confirmed.ids) }
  }

  async function limitRate(state: Admitted): Promise<Limited> {
    return { ...state, allowance: await limitKey(state.admission.key) }
  }

  /** Before anything about the path is revealed: a key learns nothing about projects that it cannot access. */
  function requireScope<State extends Admitted>(state: State): State {
    const { projectId } = state.path
    if (projectId === null) return state
    if (!state.admission.key.canReach(projectId)) throw new Problem('ACCESS_DENIED', outOfScope)
    if (!isUuid(projectId)) throw notFound('project')
    return state
  }

  async function requireRoute(state: Limited): Promise<Routed> {
    const { match, path } = state.target
    if (!match) throw await unknownPath(path, findRoute)
    return { ...state, match }
  }

  function requireMethod(state: Routed): Permitted | SentResponse {
    const { incoming, match, target } = state
    if (incoming.method === 'OPTIONS') return methodsResponse(match.methods)
    const endpoint = endpointFor(incoming.method, match)
    return { ...state, endpoint, deprecation: deprecationHeaders(endpoint.docs, target.path, target.search) }
  }

  /** The operation of a write. Reading is always allowed. */
  function requireGrant<State extends Permitted>(state: State): State {
    const { endpoint, admission } = state
    if (endpoint.kind === 'read' || admission.key.operations.includes(endpoint.operation)) return state
    throw new Problem('OPERATION_DENIED', `The API key was not granted the operation ${endpoint.operation}.`)
  }

  async function readInput(state: Permitted): Promise<Parsed> {
    const { incoming, target, endpoint, earlier } = state
    if (endpoint.kind === 'read') {
      const read = earlier?.read ?? endpoint.parse(target.search)
      if (incoming.hasBody) throw invalid({ in: 'body', name: 'body', message: 'is not allowed in this request' })
      // A request that waits goes on watching what its names meant when it arrived.
      const asResolved = { ...state, target: { ...target, ...state.path, names: undefined } }
      return {
        ...state,
        operate: () => reads.respond(state, read, async () => (await admitAgain(asResolved)).admission),
      }
    }
    const started = performance.now()
    const owner = ownerOfKey(state.admission.key.id)
    const write = await endpoint.parse(target.search, incoming, owner)
    const { path, admission } = performance.now() - started > slowBodyMs ? await admitAgain(state) : state
    return {
      ...state,
      async operate() {
        const response = await write(path, admission.key, projectsOwnedBy(admission.confirmed.source.projects, owner))
        const { location } = response.headers
        if (location === undefined) return response
        return { ...response, headers: { ...response.headers, location: publicUrlFor(state) + location } }
      },
    }
  }

  /** Runs the stages that may have another result by now, without taking another token. */
  async function admitAgain(state: Permitted) {
    return requireGrant(requireScope({ ...state, ...(await admit({ ...state, earlier: undefined })) }))
  }

  function publicUrlFor({ incoming }: Received): string {
    return findPublicUrl(incoming.headers)
  }
}

function existing<Found>(found: Found | undefined): Found {
  if (!found) throw notFound('path')
  return found
}

interface Stack<First, Last> {
  /** Adds a stage. It takes the state that the one before it returns. */
  add<Result>(stage: (state: Last) => Result | Promise<Result>): Stack<First, Exclude<Result, { status: number }>>
  /** Runs the stages, and reports the state after each. */
  run(state: First, onProgress: OnProgress): Promise<SentResponse>
}

function stack<First>(): Stack<First, First> {
  const stages: ((state: unknown) => unknown)[] = []
  const of = <Last>(): Stack<First, Last> => ({
    add(stage) {
      stages.push(stage as (state: unknown) => unknown)
      return of()
    },
    async run(first, onProgress) {
      let state: unknown = first
      for (const stage of stages) {
        state = await stage(state)
        if (isResponse(state)) return state
        onProgress(state as Progress)
      }
      throw new Error('no stage returned a response')
    },
  })
  return of()
}

const isResponse = (state: unknown): state is SentResponse =>
  typeof state === 'object' && state !== null && 'status' in state
