// What is answered without a key: to those who watch the service, and to those who read its documentation.

import { Problem } from './problems/problem.ts'
import type { SentResponse } from './responses/response.ts'
import type { Context } from './context.ts'
import type { Incoming } from './incoming.ts'

export interface PublicRoute {
  /** The template of the path, for the log. */
  route: string
  get(headers: Incoming['headers']): Promise<SentResponse>
}

export type FindPublicRoute = (path: string) => Promise<PublicRoute | undefined>

const allow = 'GET, HEAD, OPTIONS'

export async function respondPublicly(find: FindPublicRoute, context: Context): Promise<SentResponse> {
  const { method, headers } = context.incoming
  const found = context.isPlain ? await find(context.path) : undefined
  if (!found) throw new Problem('NOT_FOUND', 'There is nothing at this path.')
  context.route = found.route
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: '' }
  if (method !== 'GET' && method !== 'HEAD') {
    throw new Problem('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } })
  }
  return found.get(headers)
}
