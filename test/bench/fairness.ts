// Measures how much one key with many costly requests delays another key that sends one request at a time.

import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { startPooler } from '../support/pooler.ts'
import type { BenchRequest, Target } from './bench-load.ts'
import { pageProject, tasksOf, uniqueRequest } from './bench-pages.ts'
import { startService } from './bench-service.ts'
import { largeProject } from './fill.ts'
import type { Part } from './part.ts'
import { atMost, milliseconds, printTable, type Line } from './table.ts'

const greedyConnections = 60
/** Searches for words of every task, in an order that no index of the search has. */
const costlySearch = `${tasksOf(largeProject)}?q=some%20words&sort=-dueDate`

interface Sample {
  seconds: number
  status: number
}

export const benchFairness: Part = async ({ folder, url, sql, headers, rounds }) => {
  const [row] = await sql`select workgate.issue_key('victim', 'all_projects') as key`
  const victimHeaders = { authorization: `Bearer ${row!['key']}` }
  const pooler = await startPooler(url)
  const pooled = { DATABASE_URL: pooler.through(url), DATABASE_POOLER: 'transaction' }
  const services: [what: string, settings: Record<string, string>][] = [
    ['one process', { DATABASE_URL: url }],
    ['WORKERS=2', { DATABASE_URL: url, WORKERS: '2' }],
    ['through PgBouncer', pooled],
  ]
  const lines: Line[] = [['', 'p50', 'p99', '200', '503', '']]
  try {
    for (const [what, settings] of services) {
      const service = await startService(folder, settings)
      try {
        lines.push(...(await measure(what, service, headers, victimHeaders, rounds)))
      } finally {
        await service.stop()
      }
    }
  } finally {
    await pooler.remove()
  }
  printTable(
    `A key that lists tasks, while ${greedyConnections} connections of another key send costly searches`,
    lines,
  )
}

async function measure(
  what: string,
  service: Target,
  greedyHeaders: Record<string, string>,
  victimHeaders: Record<string, string>,
  rounds: number,
): Promise<Line[]> {
  const list = () => uniqueRequest(tasksOf(pageProject(1)), victimHeaders)
  const search = () => uniqueRequest(costlySearch, greedyHeaders)
  const alone: Sample[][] = []
  const disturbed: Sample[][] = []
  const searches: Sample[] = []
  await send(service, list, 1, untilTime(1))
  for (let round = 0; round < rounds; round++) {
    alone.push(await send(service, list, 1, untilTime(1)))
    let isOver = false
    const greedy = send(service, search, greedyConnections, () => isOver)
    await send(service, list, 1, untilTime(1))
    disturbed.push(await send(service, list, 1, untilTime(2)))
    isOver = true
    searches.push(...(await greedy))
  }
  const refused = disturbed.flat().filter(({ status }) => status !== 200).length
  const [half, most] = [0.5, 0.99].map((part) => best(disturbed, part) / best(alone, part)) as [number, number]
  return [
    line(`${what}: lists alone`, alone),
    line(
      'the same, disturbed',
      disturbed,
      `${half.toFixed(1)} and ${most.toFixed(1)} times ${atMost('3 and 10', half <= 3 && most <= 10)}, ${refused} refused ${atMost('0', refused === 0)}`,
    ),
    line('the searches', [searches]),
  ]
}

const untilTime = (seconds: number) => {
  const end = performance.now() + seconds * 1_000
  return () => performance.now() > end
}

/** Sends requests over several connections, one at a time on each, until it is over. */
async function send(
  { url }: Target,
  next: () => BenchRequest,
  connections: number,
  isOver: (samples: readonly Sample[]) => boolean,
): Promise<Sample[]> {
  const samples: Sample[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const sendInTurn = async () => {
    while (!isOver(samples)) {
      const { path, headers = {} } = next()
      const began = performance.now()
      const [response] = (await once(get(url + path, { headers, agent }), 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      samples.push({ seconds: (performance.now() - began) / 1_000, status: response.statusCode! })
    }
  }
  await Promise.all(Array.from({ length: connections }, sendInTurn))
  agent.destroy()
  return samples
}

function percentile(samples: readonly Sample[], part: number): number {
  const seconds = samples.map((sample) => sample.seconds).sort((a, b) => a - b)
  return seconds[Math.min(seconds.length - 1, Math.floor(seconds.length * part))]!
}

/** The lowest percentile of all rounds: other load on the machine can only raise it. */
const best = (rounds: readonly Sample[][], part: number) =>
  Math.min(...rounds.map((samples) => percentile(samples, part)))

function line(what: string, rounds: readonly Sample[][], remark = ''): Line {
  const [ok, refused] = [200, 503].map((status) => rounds.flat().filter((sample) => sample.status === status).length)
  return [what, milliseconds(best(rounds, 0.5)), milliseconds(best(rounds, 0.99)), `${ok}`, `${refused}`, remark]
}
