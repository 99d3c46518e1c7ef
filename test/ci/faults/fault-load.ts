// Writers and readers who go on whatever happens, and remember what they were told: what was acknowledged has to be there,
// once, and in every answer that was asked for later.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { api, type Sql } from '../../support/workgate.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { ask, Cut, Hung, type ApiResponse, type Question } from './ask.ts'
import { printFigures } from '../../support/figures.ts'

interface Options {
  /** Where the service is now. */
  url(): string
  key: string
  project: string
  writers?: number
  readers?: number
  /** How long the description of a task is, of text that does not compress. */
  bulk?: number
  /** Whether connections to the service may break off, because it is what is killed. */
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
  const answers: Record<string, number> = {}
  const acknowledged = new Map<string, string>()
  const begun = new Set<string>()
  const faults: string[] = []
  let made = 0
  let hung = 0
  let written = 0
  let read = 0
  /** The highest number of a task that somebody was told of, and how many were made for certain. */
  let highest = 0
  let stopped = false

  /** Undefined where no answer came that says what was done. */
  async function told(question: string, more: Question): Promise<ApiResponse | undefined> {
    made++
    try {
      const answer = await ask(url() + path + question, { key, agent, ...more })
      const { status, headers, body } = answer
      const name = `answered ${status}${status < 300 ? '' : ` ${body.code}`}`
      answers[name] = (answers[name] ?? 0) + 1
      if (status < 300) return answer
      const isBusy = status === 503 && body.code === 'UNAVAILABLE' && Number(headers['retry-after']) > 0
      const isRunning = body.code === 'IDEMPOTENCY_IN_PROGRESS' && more.headers !== undefined
      if (!isBusy && !isRunning) faults.push(`${question}: ${JSON.stringify(body)}`)
    } catch (error) {
      if (error instanceof Hung) hung++
      else if (!(error instanceof Cut)) throw error
      else if (mayCut) answers['cut off'] = (answers['cut off'] ?? 0) + 1
      if (!(mayCut && error instanceof Cut)) faults.push(`${question}: ${error.message}`)
    }
    await sleep(pauseMs)
    return undefined
  }

  /** Every other one bears an Idempotency-Key, and is sent until it is known to be done. */
  async function write(writer: number) {
    for (let n = 0; !stopped; n++) {
      const title = `Task ${writer}-${n}`
      const isSafe = n % 2 === 1
      const question = {
        method: 'POST' as const,
        body: { title, ...(bulk > 0 && { description: randomBytes(bulk / 2).toString('hex') }) },
        ...(isSafe && { headers: { 'idempotency-key': title.replace(' ', '-') } }),
      }
      begun.add(title)
      let answer = await told('/tasks', question)
      while (!answer && isSafe && !stopped) answer = await told('/tasks', question)
      if (!answer) continue
      const { id, number } = answer.body.data
      acknowledged.set(title, id)
      highest = Math.max(highest, number)
      written++
    }
  }

  /** The same questions again and again, so that what is kept is asked for as well. */
  const reads: [question: string, shown: (body: any) => number, floor: () => number][] = [
    ['/tasks?sort=-number&limit=1', (body) => body.data[0]?.number ?? 0, () => highest],
    ['/analytics/overview', (body) => body.data.tasks.total, () => acknowledged.size],
  ]

  async function readOn(reader: number) {
    for (let n = reader; !stopped; n++) {
      const [question, shown, floor] = reads[n % reads.length]!
      const before = floor()
      const answer = await told(question, {})
      if (!answer) continue
      const number = shown(answer.body)
      if (number < before) faults.push(`${question} shows ${number}: ${before} was acknowledged before`)
      read++
    }
  }

  const running = Promise.all([
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

  /** Seconds until it has been written and read so often again. */
  async function untilItGoesOn(times = 1): Promise<number> {
    const began = performance.now()
    const [writes, reads] = [written + writers * times, read + readers * times]
    await wait('it is written and read again', () => written >= writes && read >= reads)
    return (performance.now() - began) / 1_000
  }

  return {
    untilItGoesOn,
    /** Writes that were acknowledged. */
    written: () => written,
    async untilRead(count: number) {
      const before = read
      await wait('it is read', () => read >= before + count)
    },
    /** Until so many more requests could not be served. */
    async untilRefused(count: number) {
      const refused = () => (answers['answered 503 UNAVAILABLE'] ?? 0) + (answers['cut off'] ?? 0)
      const before = refused()
      await wait('requests are refused', () => refused() >= before + count)
    },
    /** Stops it, and compares what was acknowledged with what is there. */
    async check(fault: string, sql: Sql, more: Record<string, string | number> = {}) {
      stopped = true
      await running
      const rows = await sql`select title from workgate.tasks where project_id = ${project} and title ~ '^Task '`
      const times = new Map<string, number>()
      for (const { title } of rows) times.set(title, (times.get(title) ?? 0) + 1)
      const shown = await allTasks(url() + path, { key, agent })
      agent.destroy()
      const lost = [...acknowledged].filter(([title, id]) => !times.has(title) || shown.get(id) !== title)
      const twice = [...times].filter(([, count]) => count > 1)
      const unknown = [...times.keys()].filter((title) => !begun.has(title))
      const stale = faults.filter((text) => text.includes('was acknowledged before')).length
      printFigures(fault, {
        'requests made': made,
        ...answers,
        'acknowledged writes': acknowledged.size,
        lost: lost.length,
        twice: twice.length,
        hung,
        stale,
        ...more,
      })
      assert.deepEqual({ faults: faults.slice(0, 5), hung, lost, twice, unknown }, { faults: [], hung: 0, lost: [], twice: [], unknown: [] }) // prettier-ignore
      assert.ok(acknowledged.size > 0)
      return { acknowledged }
    },
  }
}

/** Titles by id, as the API lists them. */
async function allTasks(path: string, how: Question): Promise<Map<string, string>> {
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
