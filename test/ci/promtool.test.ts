// Checks /metrics with promtool, whose path is in PROMTOOL. Against the artifact.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { insertData, web } from '../support/data.ts'
import { api, freshDatabase, issueKey } from '../support/workgate.ts'
import { cleanUp } from '../faults/fixtures/embedded.ts'
import { startWorkers } from '../workers/workers-service.ts'

for (const WORKERS of ['1', '2']) {
  test(`promtool finds no problems in the metrics with WORKERS=${WORKERS}`, async (t) => {
    const database = await freshDatabase()
    cleanUp(t, () => database.drop())
    await insertData(database.sql)
    const key = await issueKey(database.sql, 'counted')
    const { child, ask, linesWith } = await startWorkers({ DATABASE_URL: database.url, WORKERS, METRICS_LISTEN: '127.0.0.1:0' }) // prettier-ignore
    cleanUp(t, () => child.kill('SIGKILL'))
    for (const path of ['/key', `/projects/${web}/tasks`, '/nowhere']) await ask(api + path, key)
    const metrics = await (await fetch(linesWith('serving metrics')[0]!['url'] as string)).text()
    const promtool = spawn(process.env['PROMTOOL']!, ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] })
    const output = Promise.all([promtool.stdout.toArray(), promtool.stderr.toArray()])
    promtool.stdin.end(metrics)
    const [code] = await once(promtool, 'close')
    assert.deepEqual([code, (await output).flat().join('')], [0, ''])
  })
}
