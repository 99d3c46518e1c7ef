// Asks a service on this machine whether it is alive.

import { get } from 'node:http'
import { get as getSecurely } from 'node:https'

const patienceMs = 3_000

/** Throws where nobody answers, or not that all is well. */
export function probe(host: string, port: number, isSecure: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    // The certificate is for the names that others know it by.
    const options = { host, port, path: '/healthz', timeout: patienceMs, rejectUnauthorized: false }
    const asking = (isSecure ? getSecurely : get)(options, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`/healthz was answered with ${response.statusCode}`))
    })
    asking.on('timeout', () => asking.destroy(new Error(`there was no answer within ${patienceMs} ms`)))
    asking.on('error', reject)
  })
}
