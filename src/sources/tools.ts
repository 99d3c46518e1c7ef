// The trackers that can be followed, by the name of the tool.

import type { Tracker } from './adapter.ts'
import { createGitea } from './adapters/gitea.ts'
import type { TrackerHttp } from './http/http.ts'

interface Tool {
  headers(token: string): Record<string, string>
  /** `path` is that of the project's page at the tracker, without the first slash. */
  open(http: TrackerHttp, place: { path: string; namespace: string; trackerId: string | null }): Tracker
}

export const tools: Readonly<Record<string, Tool>> = {
  gitea: { headers: (token) => ({ authorization: `token ${token}` }), open: createGitea },
}
