// Reads that were answered before, at several numbers of connections: what it costs to ask the database whether they still hold,
// beside node:http that asks nobody; and those that were not, beside the database that answers nobody else.

import { answerTo, startBare, type Bare } from './bare.ts'
import { countStatements } from './count-statements.ts'
import type { Ask, Target } from './bench-load.ts'
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
import { race, type Figures } from './race.ts'
import { startService } from './bench-service.ts'
import { atLeast, microseconds, milliseconds, perSecond, printTable, type Line } from './table.ts'

// As many as the service has for its statements.
const databasePool = 10
// For which the targets are.
const manyConnections = 64

interface Reads {
  service: Target
  /** With a limit and a log of requests, as it is by default. */
  limited: Target
  bare: Bare
  list: Ask[]
  known: Ask[]
  br: Ask[]
  gzip: Ask[]
}

export const benchFreshness: Part = async (bench) => {
  const { folder, url, headers } = bench
  const service = await startService(folder, { DATABASE_URL: url })
  const limited = await startService(folder, { DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'info' })
  const list = pages(headers)
  const known: Ask[] = []
  for (const ask of list) known.push(await withTag(service, ask))
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
  const from = (target: Target, asks: readonly Ask[]) => () => load(target, connections, asks)
  const fromBare = (asks: readonly Ask[]) => from(bare, bare.asks(asks))
  const target = (ratio: number, figures: Figures, other: Figures) =>
    connections === manyConnections ? ` ${atLeast(ratio, figures.rate / other.rate)}` : ''

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

  let answers = 0
  const statements = await countStatements(sql, async () => {
    answers = (await load(service, connections, list)).answers!
  })
  return [
    line('bare node:http', warm.bare),
    line('asked for again', warm.all, against(warm.all, warm.bare) + target(0.7, warm.all, warm.bare)),
    line('one of them', warm.one, against(warm.one, warm.bare)),
    line('with limit and log of requests', warm.limited, against(warm.limited, warm.bare)),
    line('CACHE_MB=0', warm.uncached, `${ratio(warm.all, warm.uncached)} times as many with the cache`),
    line('bare node:http, 304', same.bare),
    line('If-None-Match, 304', same.all, against(same.all, same.bare) + target(0.8, same.all, same.bare)),
    line('bare node:http, br', brotli.bare),
    line('br', brotli.all, against(brotli.all, brotli.bare)),
    line('bare node:http, gzip', gzipped.bare),
    line('gzip', gzipped.all, against(gzipped.all, gzipped.bare)),
    line('one of ten is a POST', written.api, against(written.api, warm.bare)),
    line('the same in one project', written.one, against(written.one, warm.bare)),
    line(`beside ${writes} inserts a second by SQL`, written.sql, against(written.sql, warm.bare)),
    line('pgbench, the statement of the list', cold.pgbench),
    line('asked for the first time', cold.all, `${ratio(cold.all, cold.pgbench)} of pgbench${target(0.85, cold.all, cold.pgbench)}`), // prettier-ignore
    ['statements per request asked for again', '', '', '', '', '', (statements / answers).toFixed(3)],
  ]
}

const heading = ['', 'answers', 'bytes', 'p50', 'p99', 'processor', '']

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

const ratio = (figures: Figures, other: Figures) => (figures.rate / other.rate).toFixed(2)

/** By answers a second, and by the time of a processor that each takes of the serving process. */
function against(figures: Figures, bare: Figures): string {
  return `${ratio(figures, bare)} of bare, ${(bare.processor! / figures.processor!).toFixed(2)} by processor`
}

async function withTag(service: Target, ask: Ask): Promise<Ask> {
  const { headers } = await answerTo(service.url, ask)
  return { ...ask, headers: { ...ask.headers, 'if-none-match': headers['etag']! } }
}
