// Reserves the addresses of the service while its database starts, so that an address in use is reported before a
// database is created, and no other program can take the address in the meantime.

import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a function that frees the addresses. Until then, connections to them are reset. `setting` is the name of the
 * setting with the port.
 */
export async function reserveAddresses(addresses: readonly { host: string; port: number; setting: string }[]) {
  const reserved: (() => Promise<void>)[] = []
  const release = async () => void (await Promise.all(reserved.splice(0).map((free) => free())))
  for (const { host, port, setting } of addresses) {
    if (port === 0) continue
    try {
      reserved.push(await reserve(host, port))
    } catch (error) {
      await release()
      throw cannotListen(formatAddress(host, port), setting, error)
    }
  }
  return release
}

async function reserve(host: string, port: number): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.resetAndDestroy())
  server.listen(port, host)
  await once(server, 'listening')
  return () => new Promise((resolve) => server.close(() => resolve()))
}

export function cannotListen(address: string, setting: string, cause: unknown): Error {
  if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') return new Error(`cannot listen on ${address}`, { cause })
  return new Error(
    `cannot listen on ${address}: the address is in use (EADDRINUSE): stop the program that uses it, or set ${setting} to another port`,
  )
}

export const formatAddress = (host: string, port: number) => `${host.includes(':') ? `[${host}]` : host}:${port}`
