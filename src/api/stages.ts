// Defines what is known about a request after each stage in app.ts.

import type { Admission } from './access/authenticate.ts'
import type { Allowance } from './access/rate-limit.ts'
import type { Endpoint, RequestPath, ValidRead } from './endpoint.ts'
import type { Incoming } from './incoming.ts'
import type { Headers, PublicRoute } from './responses/response.ts'
import type { RouteMatch } from './router.ts'
import type { Target } from './target.ts'

export interface Received<Services> {
  readonly incoming: Incoming
  readonly requestId: string
  /** Set if the response was cached, but something has changed since. */
  readonly earlier: CachedRead<Services> | undefined
}

/** A read whose response is cached, as the stages have resolved it. */
export interface CachedRead<Services> {
  target: Target<Services>
  match: RouteMatch<Services>
  path: RequestPath
  admission: Admission
  read: ValidRead<Services>
  /** Creates the Link header of a page that is not the last. */
  link: ((publicUrl: string) => string) | undefined
}

export interface Located<Services> extends Received<Services> {
  readonly target: Target<Services>
  readonly publicRoute: PublicRoute | undefined
}

export interface Admitted<Services> extends Located<Services> {
  readonly admission: Admission
  /** The path with ids in place of names. */
  readonly path: RequestPath
}

export interface Routed<Services> extends Admitted<Services> {
  readonly allowance: Allowance | undefined
  readonly match: RouteMatch<Services>
}

export interface Permitted<Services> extends Routed<Services> {
  readonly endpoint: Endpoint<Services>
  /** Set if the request uses anything that is deprecated. */
  readonly deprecation: Headers | undefined
}

/** The state after any stage. */
export type Progress<Services> = Received<Services> & Partial<Permitted<Services>>
export type OnProgress<Services> = (state: Progress<Services>) => void
