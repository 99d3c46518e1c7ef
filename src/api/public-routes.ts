// Serves public routes, which need no key: the health checks and the documentation.

import { Problem } from './problems/problem.ts'
import type { SentResponse } from './responses/response.ts'
import type { Incoming } from './incoming.ts'

export interface PublicRoute {
  /** The template of the path, for the log. */
  route: string
  get(headers: Incoming['headers'], publicUrl: string): Promise<SentResponse>
}

export type FindPublicRoute = (path: string) => Promise<PublicRoute | undefined>

const allow = 'GET, HEAD, OPTIONS'

export async function respondPublicly(
  found: PublicRoute | undefined,
  { method, headers }: Incoming,
  publicUrl: string,
): Promise<SentResponse> {
  if (!found) throw noSuchPath()
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: '' }
  if (method !== 'GET' && method !== 'HEAD') {
    throw new Problem('METHOD_NOT_ALLOWED', `This path supports ${allow}.`, { headers: { allow } })
  }
  return found.get(headers, publicUrl)
}

export const noSuchPath = () => new Problem('NOT_FOUND', 'No such path.')
