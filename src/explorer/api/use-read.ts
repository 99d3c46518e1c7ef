// Reads a response and keeps it current: again every minute while the page is visible, and after a failure until the
// service answers.

import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { RequestFailed, type Client, type Problem } from './client.ts'
import type { Page } from './types.ts'

export const ClientContext = createContext<Client>(undefined!)

/** A response, or what is known of it. */
export interface Read<Body> {
  path: string
  body: Body | undefined
  /** When the body was requested. */
  at: number | undefined
  /** Why the last attempt failed. An earlier body remains. */
  problem: Problem | undefined
}

const refreshMs = 60_000
const firstRetryMs = 1_000
const maxRetryMs = 15_000
const maxItems = 1_000

/** True if the next attempt may succeed. */
const isTemporary = ({ status }: Problem) => status === 0 || status === 429 || status >= 500

export const useRead = <Body>(path: string): Read<Body> => useReading<Body>(path, readOnce)

/** All items of a list, or the first 1,000. */
export const useAll = <Item>(path: string): Read<Page<Item>> => useReading<Page<Item>>(path, readPages)

type ReadBody = (client: Client, path: string, signal: AbortSignal) => Promise<unknown>

const readOnce: ReadBody = (client, path, signal) => client.get(path, signal)

const readPages: ReadBody = async (client, path, signal) => {
  const first = await client.get<Page<unknown>>(path, signal)
  const data = [...first.data]
  let { meta } = first
  while (meta.nextCursor !== null && data.length < maxItems) {
    const page = await client.get<Page<unknown>>(withCursor(path, meta.nextCursor), signal)
    data.push(...page.data)
    meta = page.meta
  }
  return { ...first, data, meta }
}

export const withCursor = (path: string, cursor: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`

function useReading<Body>(path: string, readBody: ReadBody): Read<Body> {
  const client = useContext(ClientContext)
  const start = (): Read<Body> => ({
    path,
    body: undefined,
    at: undefined,
    problem: undefined,
    ...client.known<Body>(path),
  })
  const [read, setRead] = useState(start)
  useEffect(() => {
    const reading = keepReading<Body>(client, path, readBody, (change) =>
      setRead((last) => ({ ...(last.path === path ? last : start()), ...change })),
    )
    return () => reading.abort()
  }, [client, path, readBody])
  const current = read.path === path ? read : start()
  const { at } = current
  useEffect(() => {
    if (at === undefined) return
    const shown = { at }
    client.shown.add(shown)
    return () => client.shown.delete(shown)
  }, [client, at])
  return current
}

function keepReading<Body>(
  client: Client,
  path: string,
  readBody: ReadBody,
  show: (change: Partial<Read<Body>>) => void,
): AbortController {
  const reading = new AbortController()
  const { signal } = reading
  let timer: number | undefined
  let retryMs = firstRetryMs
  const readIn = (ms: number) => (timer = window.setTimeout(read, ms))

  async function read() {
    window.clearTimeout(timer)
    if (document.hidden) return
    const at = Date.now()
    try {
      const body = (await readBody(client, path, signal)) as Body
      if (signal.aborted) return
      client.keep(path, { body, at })
      show({ body, at, problem: undefined })
      retryMs = firstRetryMs
      readIn(refreshMs)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof RequestFailed)) throw error
      const { problem } = error
      if (problem.status === 401) return client.onRefused(problem)
      show({ problem })
      if (!isTemporary(problem)) return
      readIn(problem.retryAfter === undefined ? retryMs : problem.retryAfter * 1_000)
      retryMs = Math.min(maxRetryMs, retryMs * 2)
    }
  }

  void read()
  document.addEventListener('visibilitychange', read, { signal })
  return reading
}
