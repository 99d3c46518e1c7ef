// Defines what is known about a request after each stage of the stack in app.ts. A stage returns the state for the next
// one, with more in it, or the response, which ends the request.

import type { Admission } from './access/authenticate.ts'
import type { Allowance } from './access/rate-limit.ts'
import type { Endpoint, RequestPath, ValidRead } from './endpoint.ts'
import type { Incoming } from './incoming.ts'
import type { Headers, PublicRoute, SentResponse } from './responses/response.ts'
import type { RouteMatch, Target } from './router.ts'

export interface Received {
  readonly incoming: Incoming
  readonly requestId: string
  /** The name under which the response is remembered, if it is cached. */
  readonly name: string | undefined
  /** Set if the response was cached, but something has changed since. */
  readonly earlier: CachedRead | undefined
}

/** A read whose response is cached, as the stages have resolved it. */
export interface CachedRead {
  target: Target
  match: RouteMatch
  path: RequestPath
  admission: Admission
  read: ValidRead
  /** Creates the Link header of a page that is not the last. */
  link: ((publicUrl: string) => string) | undefined
}

export interface Located extends Received {
  readonly target: Target
  readonly publicRoute: PublicRoute | undefined
}

export interface Claimed extends Located {
  readonly credential: string
}

export interface Admitted extends Claimed {
  readonly admission: Admission
  /** The path with ids in place of names. */
  readonly path: RequestPath
}

export interface Limited extends Admitted {
  readonly allowance: Allowance | undefined
}

export interface Routed extends Limited {
  readonly match: RouteMatch
}

export interface Permitted extends Routed {
  readonly endpoint: Endpoint
  /** Set if the request uses anything that is deprecated. */
  readonly deprecation: Headers | undefined
}

export interface Parsed extends Permitted {
  /** Runs the operation with its input. */
  operate(): Promise<SentResponse>
}

/** The state after any stage. */
export type Progress = Received & Partial<Parsed>
export type OnProgress = (state: Progress) => void
