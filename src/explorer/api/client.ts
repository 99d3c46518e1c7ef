// Sends requests to the API with the key of the tab. The key is only in memory, and in sessionStorage if the user chose
// that.

export interface Problem {
  status: number
  /** Empty if the service did not answer. */
  code: string
  title: string
  detail: string
  requestId: string | undefined
  /** In seconds. */
  retryAfter: number | undefined
}

export class RequestFailed extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.title)
    this.problem = problem
  }
}

export interface Client {
  get<Body>(path: string, signal: AbortSignal): Promise<Body>
  /** The last body of a view that is opened again. */
  known<Body>(path: string): Known<Body> | undefined
  keep(path: string, known: Known<unknown>): void
  /** The responses that the page shows. */
  shown: Set<{ at: number }>
  /** Called if the service no longer accepts the key. */
  onRefused(problem: Problem): void
}

export interface Known<Body> {
  body: Body
  /** When it was requested. The body includes everything that was stored before. */
  at: number
}

const maxKnown = 200

export const apiAddress = (path: string): string => new URL(`api/external/v1${path}`, document.baseURI).href

export function createClient(key: string, onRefused: (problem: Problem) => void): Client {
  const bodies = new Map<string, Known<unknown>>()
  return {
    onRefused,
    shown: new Set(),
    known: <Body>(path: string) => bodies.get(path) as Known<Body> | undefined,
    keep(path, known) {
      bodies.delete(path)
      bodies.set(path, known)
      if (bodies.size > maxKnown) bodies.delete(bodies.keys().next().value!)
    },
    get: <Body>(path: string, signal: AbortSignal) => send(path, key, signal) as Promise<Body>,
  }
}

async function send(path: string, key: string, signal: AbortSignal): Promise<unknown> {
  // A header cannot contain every character. The service then says that it does not know the key.
  const headers = { authorization: `Bearer ${key.replace(/[^!-~]/g, '?')}` }
  const response = await fetch(apiAddress(path), { headers, signal, credentials: 'omit' }).catch((error: Error) => {
    if (signal.aborted) throw error
    throw new RequestFailed(noAnswer)
  })
  const body = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body
  throw new RequestFailed({
    status: response.status,
    code: body?.code ?? '',
    title: body?.title ?? 'The response is not from Workgate',
    detail: body?.detail ?? `A proxy may have sent it, with status ${response.status}.`,
    requestId: body?.requestId ?? response.headers.get('x-request-id') ?? undefined,
    retryAfter: Number(response.headers.get('retry-after')) || undefined,
  })
}

const noAnswer: Problem = {
  status: 0,
  code: '',
  title: 'The service does not answer',
  detail: 'It may be starting, or the network may be interrupted.',
  requestId: undefined,
  retryAfter: undefined,
}
