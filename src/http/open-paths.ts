// What is answered without a key: to those who watch the service, and to those who read its documentation.

import { Problem } from '../problem.ts'
import type { Sent } from './answer.ts'
import type { Context, Incoming } from './context.ts'

export interface OpenPath {
  /** The template of the path, for the log. */
  route: string
  get(headers: Incoming['headers']): Promise<Sent>
}

export type FindOpenPath = (path: string) => Promise<OpenPath | undefined>

const allow = 'GET, HEAD, OPTIONS'

export async function answerOpenly(find: FindOpenPath, context: Context): Promise<Sent> {
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
