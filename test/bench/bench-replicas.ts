// Measures first reads with and without two standbys: the processor time that they cost the primary.

import { startServer, type Server } from '../support/server.ts'
import { newPages } from './bench-pages.ts'
import { startService, type Service } from './bench-service.ts'
import type { Part } from './part.ts'
import { withDatabaseTime } from './processes.ts'
import { race, ratio } from './race.ts'
import { atMost, printTable, processorLine } from './table.ts'

const connections = 16
const standbyCount = 2
const maxOnPrimary = 0.25

export const benchReplicas: Part = async ({ sql, url, folder, headers, load, rounds, postgres, server }) => {
  const standbys: Server[] = []
  const services: Service[] = []
  try {
    for (let n = 0; n < standbyCount; n++) standbys.push(await startServer(postgres, {}, { primary: server }))
    const urls = standbys.map((standby) => standby.url('postgres')).join(',')
    services.push(await startService(folder, { DATABASE_URL: url }))
    services.push(await startService(folder, { DATABASE_URL: url, DATABASE_REPLICAS: urls }))
    const measure = (service: Service, seconds?: number) => () =>
      withDatabaseTime(sql, () => load(service, connections, newPages(headers, 5_000), seconds))
    for (const service of services) await measure(service, rounds > 1 ? 5 : 1)()
    const [alone, together] = services as [Service, Service]
    const raced = await race(rounds, { alone: measure(alone), together: measure(together) })
    const share = ratio(raced.together, raced.alone, ({ database }) => database!)
    printTable(`First reads of 50 tasks, ${connections} connections, all servers on this machine`, [
      ['', 'responses', 'p50', 'service', 'primary', ''],
      processorLine('one server', raced.alone),
      processorLine(
        `and ${standbyCount} standbys`,
        raced.together,
        `${share.toFixed(2)} of the CPU time on the primary ${atMost(`${maxOnPrimary}`, share <= maxOnPrimary)}`,
      ),
    ])
  } finally {
    for (const service of services) await service.stop()
    for (const standby of standbys) await standby.remove()
  }
}
