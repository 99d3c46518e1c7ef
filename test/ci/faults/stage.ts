// The setup of most fault tests: a PostgreSQL of their own with some data, a key, and the artifact.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { insertData, web } from '../../support/data.ts'
import { run } from '../../support/environment.ts'
import { startServer, type Server } from '../../support/server.ts'
import { command, connect, issueKey, startArtifact } from '../../support/workgate.ts'
import { cleanUp, until, succeeds } from '../../faults/fixtures/embedded.ts'

export const project = web

/** With fsync on, as operators run it: commits survive a crash of the machine. */
export async function startPostgres(
  t: TestContext,
  settings: Record<string, string> = {},
  parent?: string,
): Promise<Server> {
  const server = await startServer(run().postgresBin, { fsync: 'on', ...settings }, { ...(parent && { parent }) })
  cleanUp(t, () => server.remove())
  return server
}

/** Creates the schema, a few projects, and a key for all of them. */
export async function prepare(t: TestContext, url: string) {
  assert.equal((await command(['migrate'], { DATABASE_URL: url })).code, 0)
  const sql = connect(url, { max: 1, connect_timeout: 5, backoff: () => 0.1 } as {})
  cleanUp(t, () => sql.end({ timeout: 1 }))
  await insertData(sql)
  return { sql, key: await issueKey(sql, 'load') }
}

export async function startService(t: TestContext, environment: Record<string, string>, lines: string[] = []) {
  const service = await startArtifact({ RATE_LIMIT_PER_MINUTE: '0', ...environment }, lines)
  cleanUp(t, () => service.close())
  return service
}

/** Retries, because after a crash the last process of the old server may still be running. */
export async function restartServer(server: Server): Promise<void> {
  await until('the server starts', () => succeeds(server.start()))
}

/** Starts the service, and returns what reads its metrics, too. */
export async function startWithMetrics(t: TestContext, environment: Record<string, string>) {
  const lines: string[] = []
  const service = await startService(t, { METRICS_LISTEN: '127.0.0.1:0', ...environment }, lines)
  const { url } = lines.map((line) => JSON.parse(line)).find(({ message }) => message === 'serving metrics')
  return {
    service,
    /** The value of a metric for each server. */
    async metric(name: string): Promise<Record<string, number>> {
      const text = await (await fetch(url)).text()
      const samples = text.matchAll(new RegExp(`^${name}\\{server="(.*)"\\} (\\d+)$`, 'gm'))
      return Object.fromEntries([...samples].map(([, server, value]) => [server, Number(value)]))
    },
  }
}
