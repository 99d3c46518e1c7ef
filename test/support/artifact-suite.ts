// Sets up a test file that starts the artifact itself, often several times: a database or a server with rows and a key.

import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { cleanUp, until } from '../faults/fixtures/embedded.ts'
import { insertData } from './data.ts'
import { run } from './environment.ts'
import { countBlocked } from './locks.ts'
import { startServer } from './server.ts'
import { suiteDatabase } from './suite-database.ts'
import { command, connect, issueKey, type Sql } from './workgate.ts'

/** A database on the shared server, with the basic rows and a key, and locks that block statements on it. */
export async function databaseSuite(keyName = 'suite') {
  const { url, sql } = await suiteDatabase(insertData)
  return {
    url,
    sql,
    key: await issueKey(sql, keyName),
    /** Blocks all reads of a table. Returns a function that ends the lock. */
    async lock(t: TestContext, table: string) {
      const session = await sql.reserve()
      await session`begin`
      await session.unsafe(`lock table workgate.${table} in access exclusive mode`)
      cleanUp(t, () => session.release())
      const release = () => session`rollback`
      cleanUp(t, release)
      return release
    },
    untilBlocked: (count: number) =>
      until(`${count} statements wait for a lock`, async () => (await countBlocked(sql)) === count),
  }
}

/** A server that the tests may stop, with the schema, the basic rows and a key. */
export async function serverSuite(settings: Record<string, string> = {}, maxConnections = 1) {
  const server = await startServer(run().postgresBin, settings)
  after(() => server.remove())
  const url = server.url('postgres')
  assert.equal((await command(['migrate'], { DATABASE_URL: url })).code, 0)
  // Reconnects soon after the server was stopped.
  const sql: Sql = connect(url, { max: maxConnections, connect_timeout: 5, backoff: () => 0.1 } as {})
  after(() => sql.end({ timeout: 1 }))
  await insertData(sql)
  return { server, url, sql, key: await issueKey(sql, 'suite') }
}

/** Sends a GET request. Returns 200, or 503 if the response is a well-formed refusal. A hang is an error. */
export async function askOnce(address: string, key: string): Promise<200 | 503> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(30_000) })
  const body = (await response.json()) as { status: number; code: string }
  if (response.status === 200) return 200
  assert.deepEqual([response.status, body.status, body.code], [503, 503, 'UNAVAILABLE'], address)
  const sent = ['content-type', 'retry-after'].map((name) => response.headers.get(name))
  assert.deepEqual(sent, ['application/problem+json', '1'])
  return 503
}
