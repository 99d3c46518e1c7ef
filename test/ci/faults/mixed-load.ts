// Clients that send every kind of request at random: valid and invalid, completed and abandoned.

import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanUp } from '../../faults/fixtures/embedded.ts'
import { chooser } from '../../support/random.ts'
import { issueKey, type Sql } from '../../support/workgate.ts'
import { ask, type RequestOptions } from './ask.ts'

interface Options {
  /** The base URL of the API. */
  url: string
  key: string
  project: string
  sql: Sql
  clients: number
}

export function startMixedLoad(t: TestContext, { url, key, project, sql, clients }: Options) {
  const choice = chooser(11)
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * clients })
  const inProject = `/projects/${project}`
  const statusCounts: Record<string, number> = {}
  const tasks: { id: string; etag: string }[] = []
  let made = 0
  let stopped = false

  async function send(path: string, options: RequestOptions = {}, statuses: number[] = [200]) {
    made++
    const response = await ask(url + path, { key, agent, ...options })
    const { status, body } = response
    const name = `status ${status}`
    statusCounts[name] = (statusCounts[name] ?? 0) + 1
    assert.ok([...statuses, 503].includes(status), `${path}: ${status} ${JSON.stringify(body)}`)
    return response
  }

  const task = () => (tasks.length > 0 ? choice.pick(tasks) : { id: crypto.randomUUID(), etag: '"none"' })
  /** One of a thousand client addresses: failed authentication is counted for each address. */
  const from = () => ({ 'x-forwarded-for': `10.0.${choice.below(4)}.${choice.below(256)}` })
  /** Sends the bytes, and closes the connection before the response. */
  const abandon = async (bytes: string) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.write(bytes)
    await sleep(choice.below(20))
    socket.destroy()
  }

  const actions: [weight: number, action: () => Promise<unknown>][] = [
    [8, () => send(choice.pick([`${inProject}`, `${inProject}/tasks`, `${inProject}/analytics/overview`, '/projects/summary']))], // prettier-ignore
    [6, () => send(`${inProject}/tasks?q=a${choice.below(1e9)}&include=tags,watchers`)],
    [3, () => send(`${inProject}/tasks/${task().id}`, { headers: { 'if-none-match': task().etag } }, [200, 304, 404])],
    [2, () => send(`${inProject}/analytics/progress?from=2026-01-01&to=2026-${10 + choice.below(3)}-01`)],
    [6, create],
    [3, () => send(`${inProject}/tasks/${task().id}/complete`, { method: 'POST', body: {} }, [200, 404])],
    [
      2,
      () =>
        send(`${inProject}/tasks/${task().id}/work-packet/verification?state=completed&wait=0.5`, {}, [200, 404, 410]),
    ],
    [2, () => send(`/nowhere/${choice.below(1e9)}`, {}, [404])],
    [2, () => send(`${inProject}/tasks?limit=a${choice.below(1e9)}`, {}, [400])],
    [1, () => send('/key', { key: `wrong-${choice.below(1e9)}`, headers: from() }, [401, 429])],
    [1, useTemporaryKey],
    [1, () => abandon(`POST /api HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`)],
    [1, () => abandon(`GET ${new URL(url).pathname}${inProject}/tasks/${task().id}/work-packet/verification?minVersion=99&wait=20 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`)], // prettier-ignore
    [1, () => abandon('garbage\r\n\r\n')],
    [1, () => sql`update workgate.tasks set title = title || '!' where project_id = ${project} and number % 100 = ${choice.below(100)} and length(title) < 100`], // prettier-ignore
  ]
  const deck = actions.flatMap(([weight, action]) => Array.from({ length: weight }, () => action))

  async function create() {
    const headers = choice.chance(0.5) ? { 'idempotency-key': crypto.randomUUID() } : {}
    const request = { method: 'POST', headers, body: { title: `Soak ${made}`, tags: ['soak'] } } as const
    const { status, body, headers: got } = await send(`${inProject}/tasks`, request, [201])
    if (status !== 201) return
    tasks.push({ id: body.data.id, etag: String(got.etag) })
    if (tasks.length > 100) tasks.shift()
    if (choice.chance(0.2)) await send(`${inProject}/tasks`, request, [201])
  }

  async function useTemporaryKey() {
    const name = `temporary ${choice.below(1e9)}`
    const temporary = await issueKey(sql, name)
    await send('/key', { key: temporary })
    await sql`select workgate.revoke_key(${name})`
    await send('/key', { key: temporary, headers: from() }, [401, 429])
  }

  async function act() {
    while (!stopped) {
      await choice.pick(deck)()
      await sleep(choice.below(20))
    }
  }

  const running = Promise.all(Array.from({ length: clients }, act))
  running.catch(() => {})
  cleanUp(t, () => (stopped = true))
  return {
    /** Rejects with the first error. */
    failed: running.then(() => undefined),
    async stop() {
      stopped = true
      await running
      agent.destroy()
      return { made, statusCounts }
    },
  }
}
