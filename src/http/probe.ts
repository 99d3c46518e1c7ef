// Asks a service on this machine whether it is alive.

import { get } from 'node:http'

const patienceMs = 3_000

/** Throws where nobody answers, or not that all is well. */
export function probe(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = get({ host, port, path: '/healthz', timeout: patienceMs }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`/healthz was answered with ${response.statusCode}`))
    })
    asking.on('timeout', () => asking.destroy(new Error(`there was no answer within ${patienceMs} ms`)))
    asking.on('error', reject)
  })
}
