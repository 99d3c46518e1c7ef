// Measures how much processor time a request costs the service, however busy the machine is. The service runs in this
// process, mostly in the event loop, and its client in another one.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/runtime/log.ts'
import { startServer } from '../../src/server/server.ts'

export interface Cost {
  status: number
  milliseconds: number
}

/** Starts a service whose every component reads the requests: proxies, CORS and the request log are enabled. */
export async function startMeasured(environment: Record<string, string>, write: (line: string) => void) {
  const settings = {
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    CACHE_MB: '0',
    TRUST_PROXY: '1',
    CORS_ORIGINS: 'https://app.example.org',
    ...environment,
  }
  const config = readConfig(settings, () => '')
  const db = openDatabase({
    target: { url: config.DATABASE_URL!, pooler: config.DATABASE_POOLER },
    poolSize: config.DATABASE_POOL,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
  })
  const server = await startServer(config, db, createLog('info', write))
  const client = fork('-', [new URL(server.url).port], { execArgv: ['-e', clientCode], serialization: 'advanced' })
  const answer = async (message: Buffer | 'send') => {
    client.send(message)
    return ((await once(client, 'message')) as [number])[0]
  }
  return {
    async measure(request: Buffer): Promise<Cost> {
      await answer(request)
      const started = process.cpuUsage()
      const status = await answer('send')
      return { status, milliseconds: millisecondsSince(started) }
    },
    async close() {
      client.kill()
      await server.stop()
      await db.close()
    },
  }
}

// Connects when it gets a request, and sends the request when it is told to.
const clientCode = `
  const { connect } = require('node:net')
  let socket
  let request
  process.on('message', (message) => {
    if (message === 'send') return socket.write(request)
    request = message
    let head = ''
    socket = connect(process.argv.at(-1), '127.0.0.1')
      .on('connect', () => process.send(0))
      .on('data', (chunk) => (head ||= chunk.toString('latin1', 0, 12)))
      .on('close', () => process.send(Number(head.slice(9))))
  })`

/** Measures JSON.parse for 256 KiB of ordinary JSON: the speed of this machine at this moment. */
export function measureBaseline(): number {
  const started = process.cpuUsage()
  JSON.parse(ordinaryJson)
  return millisecondsSince(started)
}

function millisecondsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}

const ordinaryJson = JSON.stringify(
  Array.from({ length: 1_600 }, (_, n) => ({
    id: `00000000-0000-7000-8001-${String(n).padStart(12, '0')}`,
    number: n,
    title: `Investigate the broken voucher ${n}`,
    state: 'open',
    tags: ['a', 'b'],
    completedAt: null,
  })),
)
