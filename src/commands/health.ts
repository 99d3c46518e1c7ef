// workgate health: checks that the service at HOST and PORT responds, for containers without an HTTP client.

import { resolve } from 'node:path'
import { hasDatabase } from '../db/embedded/has-database.ts'
import { formatAddress } from '../server/http/reserve-address.ts'
import { probe } from '../server/http/probe.ts'
import type { Config } from '../config/config.ts'
import { UsageError, type CommandContext } from './command-context.ts'

/** A service that listens on all addresses is checked on the loopback address. */
const loopbackOf: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export async function health({ config, print }: CommandContext): Promise<void> {
  const { HOST, PORT, TLS_CERT } = config
  if (PORT === 0) throw new UsageError('PORT is 0, so the port of the service is unknown: set PORT')
  const host = loopbackOf[HOST] ?? HOST
  await probe(host, PORT, TLS_CERT !== undefined).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNREFUSED') throw error
    throw new Error(
      `no service listens on ${formatAddress(host, PORT)} (ECONNREFUSED)${await describeMissingDatabase(config)}: ` +
        'start it with "workgate serve", or set HOST and PORT to its address',
    )
  })
  print('ok')
}

/** A sign that the command runs in a wrong folder. */
async function describeMissingDatabase({ DATABASE_URL, DATA_DIR }: Config): Promise<string> {
  if (DATABASE_URL !== undefined || (await hasDatabase(DATA_DIR, 0))) return ''
  return `, and there is no database in DATA_DIR ${resolve(DATA_DIR)}`
}
