// Measures reads at several numbers of connections. Repeated reads show the cost of asking the database whether a
// cached response is still current, compared with bare node:http. First reads are compared with pgbench running alone.

import { againstBare, startBare, withTag, type Bare } from './bare.ts'
import { countStatements } from './count-statements.ts'
import type { BenchRequest, Target } from './bench-load.ts'
import {
  firstPage,
  insertTask,
  mixed,
  newPages,
  page,
  pageProject,
  pages,
  projectCount,
  writtenCount,
} from './bench-pages.ts'
import type { Bench, Part } from './part.ts'
import { race, ratio, type Figures, type Raced } from './race.ts'
import { startService } from './bench-service.ts'
import { atLeast, microseconds, milliseconds, perSecond, printTable, type Line } from './table.ts'

// The size of the service's connection pool.
const databasePool = 10
// The number of connections to which the targets apply.
const manyConnections = 64

interface Reads {
  service: Target
  /** With the rate limit and the request log, as by default. */
  limited: Target
  bare: Bare
  list: BenchRequest[]
  known: BenchRequest[]
  br: BenchRequest[]
  gzip: BenchRequest[]
}

export const benchFreshness: Part = async (bench) => {
  const { folder, url, headers } = bench
  const service = await startService(folder, { DATABASE_URL: url })
  const limited = await startService(folder, { DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'info' })
  const list = pages(headers)
  const known: BenchRequest[] = []
  for (const request of list) known.push(await withTag(service, request))
  const br = pages({ ...headers, 'accept-encoding': 'br' })
  const gzip = pages({ ...headers, 'accept-encoding': 'gzip' })
  const bare = await startBare(folder, service, [...list, ...known, ...br, ...gzip])
  try {
    for (const connections of bench.connections) {
      const lines = await benchReads(bench, connections, { service, limited, bare, list, known, br, gzip })
      printTable(`${projectCount} lists of 50 tasks, ${connections} connections`, [heading, ...lines])
    }
  } finally {
    bare.stop()
    await limited.stop()
    await service.stop()
  }
}

async function benchReads(bench: Bench, connections: number, reads: Reads): Promise<Line[]> {
  const { sql, headers, uncached, load, pgbench, rounds } = bench
  const { service, limited, bare, list, known, br, gzip } = reads
  const clients = Math.min(connections, databasePool)
  const from = (target: Target, requests: readonly BenchRequest[]) => () => load(target, connections, requests)
  const fromBare = (requests: readonly BenchRequest[]) => from(bare, bare.toBare(requests))
  const target = (minRatio: number, one: Raced, other: Raced) =>
    connections === manyConnections ? ` ${atLeast(minRatio, ratio(one, other))}` : ''

  const warm = await race(rounds, {
    bare: fromBare(list),
    all: from(service, list),
    one: from(service, list.slice(0, 1)),
    limited: from(limited, list),
    uncached: from(uncached, list),
  })
  const same = await race(rounds, { bare: fromBare(known), all: from(service, known) })
  const brotli = await race(rounds, { bare: fromBare(br), all: from(service, br) })
  const gzipped = await race(rounds, { bare: fromBare(gzip), all: from(service, gzip) })

  let writes = 0
  const written = await race(rounds, {
    async api() {
      const figures = await load(service, connections, mixed(headers, writtenCount))
      writes = Math.max(1, Math.round(figures.rate / 10))
      return figures
    },
    one: () => load(service, connections, mixed(headers, 1)),
    async sql() {
      const inserts = pgbench.script(insertTask, clients, 1, writes)
      const figures = await load(service, connections, mixed(headers, writtenCount).filter(({ method }) => method === 'GET')) // prettier-ignore
      await inserts
      return figures
    },
  })
  const cold = await race(rounds, {
    pgbench: () => pgbench.statement(page, firstPage(pageProject(1)), clients),
    all: () => load(service, connections, newPages(headers)),
  })

  let responses = 0
  const statements = await countStatements(sql, async () => {
    responses = (await load(service, connections, list)).responses!
  })
  return [
    line('bare node:http', warm.bare),
    line('repeated', warm.all, againstBare(warm.all, warm.bare)),
    line('one list, repeated', warm.one, againstBare(warm.one, warm.bare)),
    line('with rate limit and request log', warm.limited, againstBare(warm.limited, warm.bare)),
    line('CACHE_MB=0', warm.uncached, `${ratio(warm.all, warm.uncached).toFixed(2)} times the rate with the cache`),
    line('bare node:http, 304', same.bare),
    line('If-None-Match, 304', same.all, againstBare(same.all, same.bare)),
    line('bare node:http, br', brotli.bare),
    line('br', brotli.all, againstBare(brotli.all, brotli.bare)),
    line('bare node:http, gzip', gzipped.bare),
    line('gzip', gzipped.all, againstBare(gzipped.all, gzipped.bare)),
    line('one request in ten is a POST', written.api, againstBare(written.api, warm.bare)),
    line('the same in one project', written.one, againstBare(written.one, warm.bare)),
    line(`with ${writes} inserts/s by SQL`, written.sql, againstBare(written.sql, warm.bare)),
    line('pgbench, the same statement', cold.pgbench),
    line('requested for the first time', cold.all, `${ratio(cold.all, cold.pgbench).toFixed(2)} of pgbench${target(0.85, cold.all, cold.pgbench)}`), // prettier-ignore
    ['statements per repeated request', '', '', '', '', '', (statements / responses).toFixed(3)],
  ]
}

const heading = ['', 'responses', 'bytes', 'p50', 'p99', 'CPU', '']

function line(what: string, { rate, bytes, p50, p99, processor }: Figures, remark = ''): Line {
  return [
    what,
    perSecond(rate),
    bytes ? `${Math.round(bytes)}` : '',
    milliseconds(p50),
    milliseconds(p99),
    microseconds(processor),
    remark,
  ]
}
