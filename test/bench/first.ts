// Measures first reads: every request asks something new, so the response cache has no response.
//
// The CPU time of the service and of PostgreSQL is compared with that of a bare node:http response of the same bytes, which
// makes the figures comparable between machines. Before statements were built for each request, a first read took 87 times
// as much, 24 of it in the service.

import { againstBare, startBare } from './bare.ts'
import { newPages, pages } from './bench-pages.ts'
import { startService } from './bench-service.ts'
import type { Part } from './part.ts'
import { withDatabaseTime } from './processes.ts'
import { race, ratio } from './race.ts'
import { atMost, printTable, processorLine, type Line } from './table.ts'

const maxTotal = 35
const maxService = 10
const maxWait = 52

export const benchFirst: Part = async ({ sql, folder, url, headers, load, rounds }) => {
  const service = await startService(folder, { DATABASE_URL: url })
  const list = pages(headers)
  const bare = await startBare(folder, service, list)

  const measure = (connections: number, seconds = 1) =>
    withDatabaseTime(sql, () => load(service, connections, newPages(headers, seconds * 5_000), seconds))

  try {
    const lines: Line[] = [['', 'responses', 'p50', 'service', 'PostgreSQL', '']]
    // Connections are slow at first, while they load metadata, and Node while it compiles the code that runs most.
    await measure(64, rounds > 1 ? 10 : 1)
    for (const connections of [1, 16, 64]) {
      const raced = await race(rounds, {
        bare: () => load(bare, 64, bare.toBare(list)),
        service: () => measure(connections),
      })
      const inService = ratio(raced.service, raced.bare, ({ processor }) => processor!)
      const waiting = raced.service.p50! / raced.bare.processor!
      const remark =
        connections === 1
          ? `p50 is ${waiting.toFixed(0)} times the CPU time of bare node:http ${atMost(`${maxWait}`, waiting <= maxWait)}`
          : `${againstBare(raced.service, raced.bare, { maxTimes: maxTotal })}; in the service ${inService.toFixed(1)} ${atMost(`${maxService}`, inService <= maxService)}`
      lines.push(
        processorLine('bare node:http', raced.bare),
        processorLine(`${connections} connections`, raced.service, remark),
      )
    }
    printTable('First reads of 50 tasks, with the CPU time of each', lines)
  } finally {
    bare.stop()
    await service.stop()
  }
}
