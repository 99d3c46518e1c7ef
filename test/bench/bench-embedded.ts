// Measures the whole process: its start, the embedded database compared with a server, and the memory of both.

import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '../support/workgate.ts'
import { fill } from './fill.ts'
import { newPages, pages } from './bench-pages.ts'
import type { Part } from './part.ts'
import { proportionalMbBelow, residentMb } from './processes.ts'
import { race, ratio, type Figures } from './race.ts'
import { startService } from './bench-service.ts'
import { atLeast, atMost, perSecond, printTable, type Line } from './table.ts'

const clients = 16
const manyClients = 64

export const benchEmbedded: Part = async ({ folder, url, headers: ofServer, load, rounds, memorySeconds }) => {
  // The database's user must be able to enter the folder, which mkdtemp makes private.
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'data')
  const headers = await makeDatabase(folder, dataDir)

  let folders = 0
  const start = (settings: () => Record<string, string>) => async () => {
    const service = await startService(folder, settings())
    await service.stop()
    return { rate: 1 / service.startSeconds }
  }
  const starts = await race(rounds, {
    server: start(() => ({ DATABASE_URL: url })),
    existing: start(() => ({ DATA_DIR: dataDir })),
    empty: start(() => ({ DATA_DIR: join(folder, `empty-${++folders}`) })),
  })

  const embedded = await startService(folder, { DATA_DIR: dataDir })
  const server = await startService(folder, { DATABASE_URL: url })
  try {
    const cold = await race(rounds, {
      server: () => load(server, clients, newPages(ofServer)),
      embedded: () => load(embedded, clients, newPages(headers)),
    })
    const share = ratio(cold.embedded, cold.server)

    // New lists evict old ones from the response cache, in all encodings. Lists that are requested again stay.
    const encodings = ['identity', 'br', 'gzip'].map((encoding) => ({ ...headers, 'accept-encoding': encoding }))
    const again = encodings.map((headers) => pages(headers))
    const requests = newPages(headers, 20_000).flatMap((request, n) => [
      { ...request, headers: encodings[n % 3]! },
      again[n % 3]![n % again[0]!.length]!,
    ])
    await load(embedded, manyClients, requests, memorySeconds)
    const { now, peak } = await residentMb(embedded.pid)
    const all = now + (await proportionalMbBelow(embedded.pid))
    const lines: Line[] = [
      startLine('server', starts.server, 0.4),
      startLine('embedded, folder with data', starts.existing, 0.6),
      startLine('embedded, empty folder', starts.empty, 2.5),
      ['a list requested for the first time, embedded', perSecond(cold.embedded.rate), `${share.toFixed(2)} of the rate on the server (${perSecond(cold.server.rate)}) ${atLeast(0.9, share)}`], // prettier-ignore
      [`memory after ${memorySeconds} s of load, cache full`, megabytes(now), `${megabytes(peak)} at the peak ${atMost('200 MB', now <= 200)}`], // prettier-ignore
      ['with the database processes', megabytes(all), atMost('350 MB', all <= 350)],
    ]
    printTable(`The process, ${clients} and ${manyClients} connections`, lines)
  } finally {
    await server.stop()
    await embedded.stop()
  }
}

/** Fills an embedded database with the same projects as the one on the server. Returns headers with a key. */
async function makeDatabase(folder: string, dataDir: string): Promise<Record<string, string>> {
  const service = await startService(folder, { DATA_DIR: dataDir })
  const sql = connect(`postgres://workgate@localhost/workgate?host=${dataDir}`)
  try {
    await fill(sql, 1000, 0)
    const [row] = await sql`select workgate.issue_key('bench', 'all_projects') as key`
    return { authorization: `Bearer ${row!['key']}` }
  } finally {
    await sql.end()
    await service.stop()
  }
}

function startLine(what: string, { rate }: Figures, maxSeconds: number): Line {
  const remark = atMost(`${maxSeconds} s`, 1 / rate <= maxSeconds)
  return [`start to first response, ${what}`, `${Math.round(1000 / rate)} ms`, remark]
}

const megabytes = (size: number) => `${Math.round(size)} MB`
