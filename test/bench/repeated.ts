// Measures repeated reads with a rate limit and the request log in a file, as by default, compared with bare node:http with the same bytes and headers.

import { againstBare, startBare, withTag } from './bare.ts'
import { pages } from './bench-pages.ts'
import { startService } from './bench-service.ts'
import type { BenchRequest } from './bench-load.ts'
import type { Part } from './part.ts'
import { race, type Figures } from './race.ts'
import { microseconds, milliseconds, perSecond, printTable, type Line } from './table.ts'

const maxTimes = 1.5

export const benchRepeated: Part = async ({ folder, url, headers, load, rounds }) => {
  const service = await startService(folder, { DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'info' })
  const list = pages(headers)
  const known: BenchRequest[] = []
  for (const request of list) known.push(await withTag(service, request))
  const bare = await startBare(folder, service, [...list, ...known])
  const cases = [
    { what: 'repeated', requests: list, connections: 64, minRate: 0.7 },
    { what: 'repeated', requests: list, connections: 256, minRate: 0.8 },
    { what: '304', requests: known, connections: 64, minRate: 0.75 },
  ]
  try {
    const lines: Line[] = []
    for (const { what, requests, connections, minRate } of cases) {
      const raced = await race(rounds, {
        bare: () => load(bare, connections, bare.toBare(requests)),
        service: () => load(service, connections, requests),
      })
      lines.push(line(`bare node:http, ${what}, ${connections} connections`, raced.bare))
      lines.push([
        ...line(`Workgate, ${what}, ${connections} connections`, raced.service),
        againstBare(raced.service, raced.bare, { maxTimes, minRate }),
      ])
    }
    printTable('Repeated reads, with the request log in a file', [['', 'responses', 'p50', 'CPU'], ...lines])
  } finally {
    bare.stop()
    await service.stop()
  }
}

function line(what: string, { rate, p50, processor }: Figures): Line {
  return [what, perSecond(rate), milliseconds(p50), microseconds(processor)]
}
