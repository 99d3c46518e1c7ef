// What the service counts is there for Prometheus, of one process or of several together. Against the artifact.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { insertData, web } from '../support/data.ts'
import { api, freshDatabase, issueKey } from '../support/workgate.ts'
import { startWorkers } from './service.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let key: string

before(async () => {
  database = await freshDatabase()
  await insertData(database.sql)
  key = await issueKey(database.sql, 'counted')
})
after(() => database.drop())

const hits = 'workgate_cache_hits_total'
const misses = 'workgate_cache_misses_total'

for (const WORKERS of ['1', '3']) {
  describe(`/metrics of ${WORKERS} processes`, () => {
    let service: Awaited<ReturnType<typeof startWorkers>>
    let metrics: URL

    before(async () => {
      service = await startWorkers({ DATABASE_URL: database.url, WORKERS, METRICS_LISTEN: '127.0.0.1:0' })
      await service.says('metrics')
      metrics = new URL(service.said('metrics')[0]!['url'] as string)
    })
    after(() => service.child.kill('SIGKILL'))

    const read = async () => {
      const lines = (await (await fetch(metrics)).text()).split('\n').filter((line) => /^[^#]/.test(line))
      return Object.fromEntries(lines.map((line) => line.split(' '))) as Record<string, string>
    }

    test('says what was answered from memory and what was not', async () => {
      for (let n = 0; n < 12; n++) await service.ask(`${api}/projects/${web}/tasks`, key)
      const counted = await read()
      assert.equal(Number(counted[hits]) + Number(counted[misses]), 12)
      assert.equal(Number(counted[misses]), Number(WORKERS), 'each asks once')
      assert.equal(counted['workgate_cache_entries'], WORKERS)
      assert.ok(Number(counted['workgate_cache_bytes']) > 1_000)
      assert.deepEqual(
        [counted['workgate_freshness_checks_total'], counted['workgate_freshness_batches_total']],
        ['12', '12'],
      )
    })

    test('is at its own address, and nothing else is', async () => {
      const statusOf = async (url: string | URL, method = 'GET') => (await fetch(url, { method })).status
      assert.equal(await statusOf(new URL('/healthz', metrics)), 404)
      assert.equal(await statusOf(metrics, 'POST'), 405)
      assert.equal(await statusOf(`${service.url}/metrics`), 404)
    })

    test('goes with the service', async () => {
      service.child.kill('SIGTERM')
      assert.deepEqual(await service.ended, [0, null])
    })
  })
}
