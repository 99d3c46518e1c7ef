// Writers and readers that continue whatever happens, and record the responses: every acknowledged write must exist
// once, and be in every response to a later request. A follower must end with the same tasks as the lists.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { api, type Sql } from '../../support/workgate.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { createFollower } from './fault-follower.ts'
import { ask, Cut, Hung, type ApiResponse, type RequestOptions } from './ask.ts'
import { printFigures } from '../../support/figures.ts'

interface Options {
  /** The current URL of the service. */
  url(): string
  key: string
  project: string
  writers?: number
  readers?: number
  /** The length of a task's description, which does not compress. */
  bulk?: number
  /** True if connections to the service may be cut because the service itself is killed. */
  mayCut?: boolean
}

export type Load = ReturnType<typeof startLoad>

const pauseMs = 20

export function startLoad(
  t: TestContext,
  { url, key, project, writers = 6, readers = 4, bulk = 0, mayCut = false }: Options,
) {
  const path = `${api}/projects/${project}`
  const agent = new Agent({ keepAlive: true })
  const statusCounts: Record<string, number> = {}
  const acknowledged = new Map<string, string>()
  const begun = new Set<string>()
  const faults: string[] = []
  let made = 0
  let hung = 0
  let written = 0
  let read = 0
  /** The highest number of an acknowledged task. */
  let highest = 0
  let stopped = false

  /** Returns undefined unless the response says that the request succeeded, or that a cursor has expired. */
  async function attempt(target: string, more: RequestOptions): Promise<ApiResponse | undefined> {
    made++
    try {
      const response = await ask(url() + path + target, { key, agent, ...more })
      const { status, headers, body } = response
      const name = `status ${status}${status < 300 ? '' : ` ${body.code}`}`
      statusCounts[name] = (statusCounts[name] ?? 0) + 1
      if (status < 300 || body.code === 'CURSOR_EXPIRED') return response
      const isBusy = status === 503 && body.code === 'UNAVAILABLE' && Number(headers['retry-after']) > 0
      const isRunning = body.code === 'IDEMPOTENCY_IN_PROGRESS' && more.headers !== undefined
      if (!isBusy && !isRunning) faults.push(`${target}: ${JSON.stringify(body)}`)
    } catch (error) {
      if (error instanceof Hung) hung++
      else if (!(error instanceof Cut)) throw error
      else if (mayCut) statusCounts['cut off'] = (statusCounts['cut off'] ?? 0) + 1
      if (!(mayCut && error instanceof Cut)) faults.push(`${target}: ${error.message}`)
    }
    await sleep(pauseMs)
    return undefined
  }

  /** Every other write has an Idempotency-Key, and is retried until it succeeds. */
  async function write(writer: number) {
    for (let n = 0; !stopped; n++) {
      const title = `Task ${writer}-${n}`
      const isSafe = n % 2 === 1
      const request = {
        method: 'POST' as const,
        body: { title, ...(bulk > 0 && { description: randomBytes(bulk / 2).toString('hex') }) },
        ...(isSafe && { headers: { 'idempotency-key': title.replace(' ', '-') } }),
      }
      begun.add(title)
      let response = await attempt('/tasks', request)
      while (!response && isSafe && !stopped) response = await attempt('/tasks', request)
      if (!response) continue
      const { id, number } = response.body.data
      acknowledged.set(title, id)
      highest = Math.max(highest, number)
      written++
    }
  }

  /** The same requests repeatedly, so that the response cache is used as well. */
  const reads: [target: string, numberIn: (body: any) => number, floor: () => number][] = [
    ['/tasks?sort=-number&limit=1', (body) => body.data[0]?.number ?? 0, () => highest],
    ['/analytics/overview', (body) => body.data.tasks.total, () => acknowledged.size],
  ]

  async function readOn(reader: number) {
    for (let n = reader; !stopped; n++) {
      const [target, numberIn, floor] = reads[n % reads.length]!
      const before = floor()
      const response = await attempt(target, {})
      if (!response) continue
      const number = numberIn(response.body)
      if (number < before) faults.push(`${target} returns ${number}: ${before} was acknowledged before`)
      read++
    }
  }

  const follower = createFollower((target) => attempt(target, {}))
  async function follow() {
    while (!stopped) await follower.waitOn()
  }

  const running = Promise.all([
    follow(),
    ...Array.from({ length: writers }, (_, n) => write(n)),
    ...Array.from({ length: readers }, (_, n) => readOn(n)),
  ])
  running.catch(() => {})
  cleanUp(t, () => (stopped = true))

  async function wait(claim: string, holds: () => boolean) {
    const held = until(claim, () => holds() || faults.length > 0, 120_000)
    await Promise.race([held, running.then(() => held)])
    assert.deepEqual(faults.slice(0, 5), [], claim)
  }

  /** Waits for `times` more writes per writer and reads per reader. Returns the seconds that they took. */
  async function untilServed(times = 1): Promise<number> {
    const began = performance.now()
    const [writes, reads] = [written + writers * times, read + readers * times]
    await wait('writes and reads succeed', () => written >= writes && read >= reads)
    return (performance.now() - began) / 1_000
  }

  const refused = () => (statusCounts['status 503 UNAVAILABLE'] ?? 0) + (statusCounts['cut off'] ?? 0)

  return {
    untilServed,
    /** The number of acknowledged writes. */
    written: () => written,
    async untilRead(count: number) {
      const before = read
      await wait('reads succeed', () => read >= before + count)
    },
    /** The number of requests that were refused or cut off. */
    refused,
    /** Waits until `count` more requests are refused or cut off. */
    async untilRefused(count: number) {
      const before = refused()
      await wait('requests are refused', () => refused() >= before + count)
    },
    /** Stops the load, and compares the acknowledged writes with the rows in the database. */
    async check(fault: string, sql: Sql, more: Record<string, string | number> = {}) {
      stopped = true
      await running
      const rows = await sql`select title from workgate.tasks where project_id = ${project} and title ~ '^Task '`
      const times = new Map<string, number>()
      for (const { title } of rows) times.set(title, (times.get(title) ?? 0) + 1)
      const listed = await allTasks(url() + path, { key, agent })
      const followed = await follower.catchUp()
      agent.destroy()
      const lost = [...acknowledged].filter(([title, id]) => !times.has(title) || listed.get(id) !== title)
      const twice = [...times].filter(([, count]) => count > 1)
      const unknown = [...times.keys()].filter((title) => !begun.has(title))
      const stale = faults.filter((text) => text.includes('was acknowledged before')).length
      printFigures(fault, {
        'requests made': made,
        ...statusCounts,
        'acknowledged writes': acknowledged.size,
        lost: lost.length,
        twice: twice.length,
        hung,
        stale,
        'copies that a follower began': follower.copies(),
        ...more,
      })
      assert.deepEqual({ faults: faults.slice(0, 5), hung, lost, twice, unknown }, { faults: [], hung: 0, lost: [], twice: [], unknown: [] }) // prettier-ignore
      assert.deepEqual(new Map([...followed].toSorted()), new Map([...listed].toSorted()))
      assert.ok(acknowledged.size > 0)
      return { acknowledged, copies: follower.copies() }
    },
  }
}

/** Titles by id, as the API lists them. */
async function allTasks(path: string, how: RequestOptions): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let next = ''
  do {
    const { status, body } = await ask(`${path}/tasks?limit=200${next}`, how)
    assert.equal(status, 200, JSON.stringify(body))
    for (const { id, title } of body.data) found.set(id, title)
    next = body.meta.hasMore ? `&cursor=${body.meta.nextCursor}` : ''
  } while (next)
  return found
}
