// Preflights and TRACE need no key, and reveal only the methods of a path.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/routes.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { fill, web } from '../support/data.ts'

const { workgate } = await contractSuite({ key: false })

// prettier-ignore
const withoutKey: [claim: string, method: string, headers: Record<string, string>, status: number][] = [
  ['a preflight',                            'OPTIONS', { 'access-control-request-method': 'GET', origin: 'https://example.org' }, 204],
  ['a preflight of a method that no path has', 'OPTIONS', { 'access-control-request-method': 'DELETE' },                          204],
  ['TRACE',                                  'TRACE',   {},                                                                     405],
]
for (const [claim, method, headers, status] of withoutKey) {
  test(`${claim} gets ${status} with Allow on every path, and 404 on an unknown path, with any key or none`, async () => {
    for (const as of [undefined, 'hello']) {
      for (const path of new Set(routes.map(([, path]) => path))) {
        const methods = routes.filter((route) => route[1] === path).map(([method]) => method)
        const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
        const reply = await workgate.send(`${method} ${fill(path, web)}`, { key: as, headers })
        assert.deepEqual([reply.status, reply.headers['allow']], [status, allow], path)
        assert.equal(reply.headers['access-control-allow-origin'], undefined)
      }
      assert.equal((await workgate.send(`${method} /nothing`, { key: as, headers })).status, 404)
    }
    const outside = await workgate.send(`${method} //healthz`, { headers })
    assert.deepEqual([outside.status, outside.headers['allow']], [status, 'GET, HEAD, OPTIONS'])
  })
}
