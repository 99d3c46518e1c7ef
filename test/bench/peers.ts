// Compares lists of 50 tasks with the lists of PocketBase and Vikunja, which contain the same tasks. All servers
// authenticate every request, and all but the tuned PocketBase log it.

import assert from 'node:assert/strict'
import type { BenchRequest } from './bench-load.ts'
import { responseTo } from './bare.ts'
import type { Sql } from '../support/workgate.ts'
import { newPages, pages } from './bench-pages.ts'
import { startService, type Service } from './bench-service.ts'
import type { Bench, Part } from './part.ts'
import type { Client, Peer } from './peers/peer.ts'
import { preparePocketBase } from './peers/pocketbase.ts'
import { prepareVikunja } from './peers/vikunja.ts'
import { processorSeconds, proportionalMbBelow, residentMb } from './processes.ts'
import { race, ratio, totalProcessor, type Figures } from './race.ts'
import { atLeast, microseconds, milliseconds, perSecond, printTable, type Line } from './table.ts'

const manyConnections = 64
// The requests in flight when a turn ends do not count. Slow servers complete only a few times as many in a second.
// Turns are also the warm-up, in which Node compiles the code that runs most.
const turnSeconds = 3

interface RunningClient extends Client {
  service: Service
}

export const benchPeers: Part = async (bench) => {
  const { folder, url, headers, rounds, server } = bench
  const workgate: Peer = {
    name: 'Workgate',
    start: () => startService(folder, { DATABASE_URL: url, LOG_LEVEL: 'info' }),
    clients: [
      {
        label: 'Workgate',
        database: new URL(url).pathname.slice(1),
        repeated: pages(headers),
        // More than it can serve in a turn, so that none is repeated.
        first: () => newPages(headers, turnSeconds * 10_000),
        titles: (body) => body.data.map(({ title }: { title: string }) => title),
      },
    ],
  }
  const peers = [workgate, ...(await preparePocketBase(bench)), ...(await prepareVikunja(bench))]
  const starts = await race(
    rounds,
    byName(peers, ({ name, start }) => [name, () => timeStart(start)]),
  )

  const services: Service[] = []
  try {
    const clients: RunningClient[] = []
    for (const peer of peers) {
      const service = await peer.start()
      services.push(service)
      clients.push(...peer.clients.map((client) => ({ ...client, service })))
    }
    await checkTitles(clients)
    const repeated = await benchLists(bench, clients, 'repeated', ({ repeated }) => repeated)
    const first = await benchLists(bench, clients, 'first', ({ first }) => first())
    printTable(`Lists of 50 tasks, ${manyConnections} connections`, [heading, ...repeated, ...first])

    const lines: Line[] = [['', 'start', 'memory', 'peak', '']]
    for (const [n, { name }] of peers.entries()) {
      const { now, peak } = await residentMb(services[n]!.pid)
      lines.push([name, milliseconds(1 / starts[name]!.rate), megabytes(now), megabytes(peak), ''])
    }
    const database = await proportionalMbBelow(server.pid())
    lines.push(['PostgreSQL, with the databases of Workgate and Vikunja', '', megabytes(database), '', ''])
    printTable('Processes: start to first response, and memory after the load', lines)
  } finally {
    for (const service of services) await service.stop()
  }
}

async function timeStart(start: Peer['start']): Promise<Figures> {
  const service = await start()
  await service.stop()
  return { rate: 1 / service.startSeconds }
}

/** Fails unless each server returns the tasks that Workgate returns, in the same order. */
async function checkTitles(clients: readonly RunningClient[]): Promise<void> {
  let expected: string[] | undefined
  for (const { label, service, repeated, first, titles } of clients) {
    for (const request of [repeated[0]!, first()[0]!]) {
      const { status, body } = await responseTo(service.url, request)
      assert.equal(status, 200, `${label} responds with 200`)
      const found = titles(JSON.parse(Buffer.from(body, 'base64').toString()))
      assert.equal(found.length, 50, `${label} lists 50 tasks`)
      expected ??= found
      assert.deepEqual(found, expected, `${label} lists the same tasks`)
    }
    const { headers: _, ...anonymous } = repeated[0]!
    const { body } = await responseTo(service.url, anonymous)
    assert.doesNotMatch(Buffer.from(body, 'base64').toString(), /"title":"Task/, `${label} requires authentication`)
  }
}

async function benchLists(
  { sql, load, rounds }: Bench,
  clients: readonly RunningClient[],
  reads: 'repeated' | 'first',
  requests: (client: Client) => BenchRequest[],
): Promise<Line[]> {
  const measure = async (connections: number, seconds: number) =>
    race(
      rounds,
      byName(clients, (client) => [
        client.label,
        async () => {
          const list = requests(client)
          const before = await backendSeconds(sql, client.database)
          const figures = await load(client.service, connections, list, seconds)
          const after = await backendSeconds(sql, client.database)
          const used = [...after].map(([pid, seconds]) => seconds - (before.get(pid) ?? 0))
          return { ...figures, database: used.reduce((sum, each) => sum + each, 0) / figures.responses! }
        },
      ]),
    )
  for (const client of clients) await load(client.service, manyConnections, requests(client), turnSeconds)
  const many = await measure(manyConnections, turnSeconds)
  const one = await measure(1, 1)
  const own = many['Workgate']!
  return clients.map(({ label, targets }) => {
    const figures = many[label]!
    const times = ratio(own, figures)
    const target = targets ? ` ${atLeast(targets[reads], times)}` : ''
    return [
      `${reads}, ${label}`,
      perSecond(figures.rate),
      `${Math.round(figures.bytes!)}`,
      milliseconds(figures.p50),
      milliseconds(figures.p99),
      milliseconds(one[label]!.p50),
      microseconds(figures.processor),
      microseconds(figures.database),
      label === 'Workgate'
        ? ''
        : `takes ${ratio(figures, own, totalProcessor).toFixed(1)} times the CPU of Workgate, which is ${times.toFixed(1)} times as fast${target}`,
    ]
  })
}

/** CPU seconds of each process that serves a connection to the database. */
async function backendSeconds(sql: Sql, database: string | undefined): Promise<Map<number, number>> {
  if (!database) return new Map()
  const rows = await sql`
    select pid from pg_stat_activity where datname = ${database} and backend_type = 'client backend'`
  const entries = rows.map(async ({ pid }) => [pid, await processorSeconds(pid)] as const)
  return new Map(await Promise.all(entries))
}

const heading = ['', 'responses', 'bytes', 'p50', 'p99', 'p50 of 1 conn.', 'CPU', 'PostgreSQL CPU', '']
const megabytes = (size: number) => `${Math.round(size)} MB`

const byName = <T, Value>(list: readonly T[], entry: (each: T) => [string, Value]): Record<string, Value> =>
  Object.fromEntries(list.map(entry))
