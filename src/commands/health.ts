// workgate health: checks that the service at HOST and PORT responds, for containers without an HTTP client.

import { probe } from '../server/http/probe.ts'
import { UsageError, type CommandContext } from './command-context.ts'

/** A service that listens on all addresses is checked on the loopback address. */
const loopbackOf: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export async function health({ config, print }: CommandContext): Promise<void> {
  const { HOST, PORT, TLS_CERT } = config
  if (PORT === 0) throw new UsageError('PORT is 0, so the port of the service is unknown: set PORT')
  await probe(loopbackOf[HOST] ?? HOST, PORT, TLS_CERT !== undefined)
  print('ok')
}
