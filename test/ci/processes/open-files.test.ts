// A limit of open files below MAX_CONNECTIONS.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { cleanUp } from '../../faults/fixtures/embedded.ts'
import { run } from '../../support/environment.ts'
import { freshDatabase, startArtifact, type LogLine } from '../../support/workgate.ts'

test('more silent connections than the service may open files do not keep new clients out', async (t) => {
  const { url, drop } = await freshDatabase()
  cleanUp(t, drop)
  const lines: string[] = []
  const limited = ['/bin/sh', '-c', 'ulimit -n 400; exec "$@"', 'sh', ...run().program]
  const service = await startArtifact({ DATABASE_URL: url }, lines, limited)
  cleanUp(t, () => service.close())
  const warnings = lines.map((line) => JSON.parse(line) as LogLine).filter(({ level }) => level === 'warn')
  assert.deepEqual(
    warnings.map(({ message, maxFiles, maxConnections }) => [message, maxFiles, maxConnections]),
    [['the limit of open files lowers MAX_CONNECTIONS', 400, 288]],
  )
  for (let n = 0; n < 500; n++) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
    cleanUp(t, () => socket.destroy())
    await once(socket, 'connect')
  }
  assert.equal((await service.send('GET //healthz')).status, 200)
})
