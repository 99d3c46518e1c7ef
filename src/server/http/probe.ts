// Checks whether a service on this machine is alive.

import { get } from 'node:http'
import { get as getOverTls } from 'node:https'

const timeoutMs = 3_000

/** Throws unless the service responds with 200. */
export function probe(host: string, port: number, isSecure: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    // The certificate is for public names, not for this address.
    const options = { host, port, path: '/healthz', timeout: timeoutMs, rejectUnauthorized: false }
    const request = (isSecure ? getOverTls : get)(options, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`/healthz responded with ${response.statusCode}`))
    })
    request.on('timeout', () => request.destroy(new Error(`no response within ${timeoutMs} ms`)))
    request.on('error', reject)
  })
}
