// Measures the service through PgBouncer, where no statement is prepared, compared with a direct connection; and the same
// for pgbench, which shows how much of the loss is the planning of statements.

import { startPooler } from '../support/pooler.ts'
import { firstPage, newPages, page, pageProject, pages } from './bench-pages.ts'
import { startService } from './bench-service.ts'
import type { Part } from './part.ts'
import type { Mode } from './pgbench.ts'
import { race, ratio, type Figures, type Raced } from './race.ts'
import { atLeast, microseconds, milliseconds, perSecond, printTable } from './table.ts'

const connections = 16
const minRatio = 0.6

export const benchPooled: Part = async ({ folder, url, headers, load, pgbench, rounds }) => {
  const pooler = await startPooler(url)
  const direct = await startService(folder, { DATABASE_URL: url })
  const pooled = await startService(folder, { DATABASE_URL: pooler.through(url), DATABASE_POOLER: 'transaction' })
  const statement = (mode: Mode) => pgbench.statement(page, firstPage(pageProject(1)), connections, mode)
  try {
    const first = await race(rounds, {
      direct: () => load(direct, connections, newPages(headers, 5_000)),
      pooled: () => load(pooled, connections, newPages(headers, 5_000)),
    })
    const repeated = await race(rounds, {
      direct: () => load(direct, connections, pages(headers)),
      pooled: () => load(pooled, connections, pages(headers)),
    })
    const bare = await race(rounds, {
      prepared: () => statement('prepared'),
      unprepared: () => statement('extended'),
    })
    const share = ratio(first.pooled, first.direct)
    printTable(`Lists of 50 tasks through PgBouncer, ${connections} connections`, [
      ['', 'responses', 'p50', 'CPU', ''],
      ['first, direct', ...figuresOf(first.direct), ''],
      [
        'first, through PgBouncer',
        ...figuresOf(first.pooled),
        `${share.toFixed(2)} of direct ${atLeast(minRatio, share)}`,
      ],
      ['repeated, direct', ...figuresOf(repeated.direct), ''],
      [
        'repeated, through PgBouncer',
        ...figuresOf(repeated.pooled),
        `${shareOf(repeated.pooled, repeated.direct)} of direct`,
      ],
      ['pgbench, prepared', perSecond(bare.prepared.rate), '', '', ''],
      [
        'pgbench, not prepared',
        perSecond(bare.unprepared.rate),
        '',
        '',
        `${shareOf(bare.unprepared, bare.prepared)} of prepared`,
      ],
    ])
  } finally {
    await pooled.stop()
    await direct.stop()
    await pooler.remove()
  }
}

const figuresOf = ({ rate, p50, processor }: Figures) => [perSecond(rate), milliseconds(p50), microseconds(processor)]
const shareOf = (one: Raced, other: Raced) => ratio(one, other).toFixed(2)
