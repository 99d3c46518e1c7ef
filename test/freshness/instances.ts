// Opens an instance of the service. It is called as a function: the checker looks for faults between service and
// database, and a socket would take more time than both.

import type { SentResponse } from '../../src/api/responses/response.ts'
import { recordOutput } from '../support/log.ts'
import { api, asService, openInProcess } from '../support/workgate.ts'

export interface Instance {
  ask(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: object): Promise<SentResponse>
  close(): Promise<void>
}

/** A key from API_KEYS, which is in no database. */
export const environmentKey = 'the-key-of-the-environment-is-long-enough'

export function openInstance(url: string): Instance {
  const { app, close } = openInProcess(
    {
      ...asService(url),
      DATABASE_POOL: '6',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
      API_KEYS: JSON.stringify([{ name: 'environment', key: environmentKey, scopeMode: 'all_projects' }]),
    },
    recordOutput,
  )
  let requests = 0
  return {
    close,
    ask(method, path, headers, body) {
      const bytes = body && Buffer.from(JSON.stringify(body))
      return app({
        method,
        target: api + path,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
        // Failed authentication is limited by address, and some keys here are revoked or expired on purpose.
        address: `10.0.${requests >> 8}.${(requests = (requests + 1) & 0xffff) & 0xff}`,
        hasBody: bytes !== undefined,
        readBody: async () => bytes ?? new Uint8Array(),
        isDisconnected: () => false,
        onDisconnect: () => {},
      })
    },
  }
}
