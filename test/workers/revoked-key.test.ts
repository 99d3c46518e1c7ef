// A key that is revoked ends what waits with it, whichever worker of whichever instance it waits in.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp, until } from '../faults/fixtures/embedded.ts'
import { insertData, web } from '../support/data.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { api, issueKey } from '../support/workgate.ts'
import { startWorkers } from './workers-service.ts'

const { sql, url } = await suiteDatabase(insertData)
const requests = 10
const waitSeconds = 30

test('a revoked key ends the waits in all workers of two instances', async (t) => {
  const key = await issueKey(sql, 'revoked')
  const settings = { DATABASE_URL: url, METRICS_LISTEN: '127.0.0.1:0' }
  const instances = await Promise.all([startWorkers(settings), startWorkers(settings)])
  for (const { child } of instances) cleanUp(t, () => child.kill('SIGKILL'))
  const changes = `${api}/projects/${web}/changes`
  const { cursor } = (await instances[0].ask(`${changes}?from=now`, key)).body.meta
  const path = `${changes}?cursor=${cursor}&wait=${waitSeconds}`
  const responses = Promise.all(instances.flatMap(({ ask }) => Array.from({ length: requests }, () => ask(path, key))))
  for (const { untilLogged, linesWith } of instances) {
    await untilLogged('serving metrics')
    const metrics = linesWith('serving metrics')[0]!['url'] as string
    await until('all of them wait', async () =>
      (await (await fetch(metrics)).text()).includes(`\nworkgate_waiters ${requests}\n`),
    )
  }
  const began = performance.now()
  await sql`select workgate.revoke_key('revoked')`
  for (const { status, body } of await responses) assert.deepEqual([status, body.code], [401, 'KEY_REVOKED'])
  assert.ok(performance.now() - began < waitSeconds * 500, 'they end before half of their time is over')
  for (const { linesWith } of instances) {
    const ended = () => linesWith('request').filter((line) => line['status'] === 401)
    await until('all are logged', () => ended().length === requests)
    assert.deepEqual([...new Set(ended().map((line) => line['worker']))].sort(), [1, 2])
  }
})
