// Shared code for tests of writes.

import type { Reply, Workgate } from './workgate.ts'

export * from './data.ts'
export { api, openWorkgate, type Reply, type Workgate } from './workgate.ts'

/** Posts a body as JSON; a string is sent unchanged, and undefined sends no body. */
export function post(
  workgate: Workgate,
  key: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (body === undefined) return workgate.send(`POST ${path}`, { key, headers })
  return workgate.send(`POST ${path}`, { key, headers: { 'content-type': 'application/json', ...headers }, body: text })
}
