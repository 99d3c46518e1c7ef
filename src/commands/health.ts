// workgate health: whether the service with these settings answers. For where there is no other program to ask it, as in
// a container.

import { probe } from '../server/http/probe.ts'
import { UsageError, type Host } from './host.ts'

/** What listens on all addresses is asked at one of them. */
const reachable: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export async function health({ config, print }: Host): Promise<void> {
  const { HOST, PORT, TLS_CERT } = config
  if (PORT === 0) throw new UsageError('with PORT=0 nobody knows where the service listens')
  await probe(reachable[HOST] ?? HOST, PORT, TLS_CERT !== undefined)
  print('ok')
}
