// Measures readers of changes: empty polls, the first copy of the large project, following it and a small one, and waiting.

import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Headers } from '../../src/api/responses/response.ts'
import type { Sql } from '../support/workgate.ts'
import { api } from '../support/workgate.ts'
import { startPooler } from '../support/pooler.ts'
import { againstBare, startBare } from './bare.ts'
import { pageProject } from './bench-pages.ts'
import { startService, type Service } from './bench-service.ts'
import { largeProject } from './fill.ts'
import type { Part } from './part.ts'
import { processorSeconds } from './processes.ts'
import { race } from './race.ts'
import { atMost, milliseconds, perSecond, printTable, type Line } from './table.ts'

const minPollRatio = 0.5
const minObjects = 20_000
const maxFollowRatio = 1.5
const maxWakeMs = 150
const maxIdle = 0.02
const [followers, waiters, manyWaiters] = [20, 100, 1_000]

export const benchChanges: Part = async ({ sql, folder, url, headers, load, rounds }) => {
  const service = await startService(folder, { DATABASE_URL: url })
  const pooler = await startPooler(url)
  const pooled = await startService(folder, { DATABASE_URL: pooler.through(url), DATABASE_POOLER: 'transaction' })
  const client = createClient(headers)
  const changesOf = (project: string) => `${api}/projects/${project}/changes`

  async function polls(): Promise<Line> {
    const { cursor } = await client.read(service, `${changesOf(largeProject)}?from=now`)
    const request = { method: 'GET' as const, path: `${changesOf(largeProject)}?cursor=${cursor}`, headers }
    const bare = await startBare(folder, service, [request])
    try {
      const raced = await race(rounds, {
        bare: () => load(bare, 64, bare.toBare([request])),
        service: () => load(service, 64, [request]),
      })
      return ['an empty poll', perSecond(raced.service.rate), againstBare(raced.service, raced.bare, { minRate: minPollRatio })] // prettier-ignore
    } finally {
      bare.stop()
    }
  }

  async function firstCopy(): Promise<Line> {
    const started = performance.now()
    let [objects, next] = [0, '']
    for (let hasMore = true; hasMore;) {
      const page = await client.read(service, `${changesOf(largeProject)}?limit=1000${next && `&cursor=${next}`}`)
      objects += page.count
      ;({ cursor: next, hasMore } = page)
    }
    const rate = objects / ((performance.now() - started) / 1_000)
    return [`the first copy, ${objects} objects`, perSecond(rate), atMost(`at least ${minObjects}/s`, rate >= minObjects)] // prettier-ignore
  }

  /** The median time of a page with one change. */
  async function follow(project: string): Promise<number> {
    const times: number[] = []
    let { cursor } = await client.read(service, `${changesOf(project)}?from=now`)
    for (let n = 0; n < followers; n++) {
      await changeOne(sql, project)
      const page = await client.read(service, `${changesOf(project)}?cursor=${cursor}`)
      ;({ cursor } = page)
      times.push(page.seconds)
    }
    return percentile(times, 0.5)
  }

  /** The time from each commit to the response of each waiting request. */
  async function wake(target: Service): Promise<number> {
    const times: number[] = []
    for (let round = 0; round < 2 * rounds; round++) {
      const { cursor } = await client.read(target, `${changesOf(largeProject)}?from=now`)
      const waiting = Array.from({ length: waiters }, () => client.read(target, `${changesOf(largeProject)}?cursor=${cursor}&wait=30`)) // prettier-ignore
      await sleep(300 + 7 * round)
      await changeOne(sql, largeProject)
      const committed = performance.now()
      times.push(...(await Promise.all(waiting)).map(({ at }) => (at - committed) / 1_000))
    }
    return percentile(times, 0.99)
  }

  /** The processor time of the service and of its connections that many waiting requests add to each second. */
  async function idle(): Promise<number> {
    const { cursor } = await client.read(service, `${changesOf(largeProject)}?from=now`)
    const used = async () => {
      const [before, started] = [await processor(sql, service), performance.now()]
      await sleep(2 * rounds * 1_000)
      return ((await processor(sql, service)) - before) / ((performance.now() - started) / 1_000)
    }
    const alone = await used()
    const waiting = Array.from({ length: manyWaiters }, () =>
      client.read(service, `${changesOf(largeProject)}?cursor=${cursor}&wait=${Math.min(30, 5 + 2 * rounds)}`),
    )
    await sleep(3_000)
    const together = await used()
    await Promise.all(waiting)
    return together - alone
  }

  try {
    const lines = [await polls(), await firstCopy()]
    const [small, large] = [await follow(pageProject(1)), await follow(largeProject)]
    const times = large / small
    lines.push(['a change in a small project', milliseconds(small), ''])
    lines.push(['a change in the large project', milliseconds(large), `${times.toFixed(2)} times as long ${atMost(`${maxFollowRatio}`, times <= maxFollowRatio)}`]) // prettier-ignore
    for (const [what, target] of [
      ['', service],
      [', through PgBouncer', pooled],
    ] as const) {
      // prettier-ignore
      const seconds = await wake(target)
      lines.push([`p99 from a commit to ${waiters} waiting requests${what}`, milliseconds(seconds), atMost(`${maxWakeMs} ms`, seconds * 1_000 <= maxWakeMs)]) // prettier-ignore
    }
    const used = await idle()
    lines.push([`${manyWaiters} waiting requests`, `${(100 * used).toFixed(1)} % of a processor`, atMost(`${100 * maxIdle} %`, used <= maxIdle)]) // prettier-ignore
    printTable('Readers of changes', lines)
  } finally {
    client.close()
    await Promise.all([service.stop(), pooled.stop()])
    await pooler.remove()
  }
}

interface Page {
  cursor: string
  hasMore: boolean
  /** The number of objects. */
  count: number
  seconds: number
  /** When the response was complete. */
  at: number
}

function createClient(headers: Headers) {
  const agent = new Agent({ keepAlive: true })
  return {
    read: ({ url }: Service, path: string) =>
      new Promise<Page>((resolve, reject) => {
        const started = performance.now()
        get(url + path, { headers, agent }, async (response) => {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          const at = performance.now()
          const { data, meta } = JSON.parse(Buffer.concat(chunks).toString())
          resolve({ cursor: meta.cursor, hasMore: meta.hasMore, count: data.length, seconds: (at - started) / 1_000, at }) // prettier-ignore
        }).on('error', reject)
      }),
    close: () => agent.destroy(),
  }
}

const changeOne = (sql: Sql, project: string) => sql`
  update workgate.tasks set title = title || '!'
  where project_id = ${project} and id = (select id from workgate.tasks where project_id = ${project} order by id limit 1)`

async function processor(sql: Sql, service: Service): Promise<number> {
  const rows = await sql`select pid from pg_stat_activity where application_name like 'workgate%'`
  const each = await Promise.all([service.pid, ...rows.map(({ pid }) => pid)].map(processorSeconds))
  return each.reduce((sum, seconds) => sum + seconds, 0)
}

const percentile = (values: readonly number[], rank: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * rank) - 1]!
