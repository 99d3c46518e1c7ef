// A process that follows the sources of a database until it is killed: node … follow-in-process.ts URL LEASE_SECONDS.

import { openDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/runtime/log.ts'
import { followSources } from '../../src/sources/follow.ts'

const [url, leaseSeconds] = process.argv.slice(2)
const db = openDatabase({ target: { url: url! }, poolSize: 2, statementTimeoutMs: 30_000 })
const log = createLog('silent', () => {})
followSources({
  db,
  log,
  readToken: () => Promise.resolve('of-process'),
  intervalMs: 100,
  auditMs: 3_600_000,
  leaseSeconds: Number(leaseSeconds),
})
