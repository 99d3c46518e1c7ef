// The shutdown of the service while clients use it. Against the artifact.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import { lockTables, untilBlocked } from '../support/locks.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { api, issueKey } from '../support/workgate.ts'
import { startWorkers } from '../workers/workers-service.ts'
import { cleanUp, until } from './fixtures/embedded.ts'

const database = await suiteDatabase()
const key = await issueKey(database.sql, 'clients')

// Much longer than a test may take: a shutdown that uses up the grace period fails the test.
const longGrace = { SHUTDOWN_GRACE_MS: '600000' }

async function start(t: TestContext, environment: Record<string, string>) {
  const service = await startWorkers({
    DATABASE_URL: database.url,
    WORKERS: '1',
    RATE_LIMIT_PER_MINUTE: '0',
    ...environment,
  })
  cleanUp(t, () => service.child.kill('SIGKILL'))
  return {
    ...service,
    open() {
      const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true })
      cleanUp(t, () => socket.destroy())
      return socket
    },
    ask: (path: string, agent?: Agent) => service.ask(path, key, agent),
  }
}

const lockProjects = (t: TestContext) => lockTables(t, database.sql, 'workgate.projects')

describe('on SIGTERM', () => {
  test('a running request gets a response, its connection is closed, and no new one is accepted', async (t) => {
    const { child, ended, untilLogged, ask, open } = await start(t, longGrace)
    const release = await lockProjects(t)
    const agent = new Agent({ keepAlive: true })
    const running = ask(`${api}/projects`, agent)
    await untilBlocked(database.sql)
    child.kill('SIGTERM')
    await untilLogged('stopping')
    await assert.rejects(once(open(), 'connect'), { code: 'ECONNREFUSED' })
    await release()
    const { status, headers } = await running
    assert.deepEqual([status, headers.connection], [200, 'close'])
    assert.deepEqual(await ended, [0, null])
    agent.destroy()
  })

  test('a request that runs longer than the grace period is cut off', async (t) => {
    const { child, ended, ask } = await start(t, { SHUTDOWN_GRACE_MS: '200', STATEMENT_TIMEOUT_MS: '600000' })
    const release = await lockProjects(t)
    const running = assert.rejects(ask(`${api}/projects`), { code: 'ECONNRESET' })
    await untilBlocked(database.sql)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    await running
    await release()
  })

  test('a second signal ends the process immediately', async (t) => {
    const { child, ended, ask, untilLogged } = await start(t, { ...longGrace, STATEMENT_TIMEOUT_MS: '600000' })
    const release = await lockProjects(t)
    const running = assert.rejects(ask(`${api}/projects`), { code: 'ECONNRESET' })
    await untilBlocked(database.sql)
    child.kill('SIGTERM')
    await untilLogged('stopping')
    assert.equal(child.exitCode, null)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [1, null])
    await running
    await release()
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`idle connections do not delay the shutdown (${signal})`, async (t) => {
      const { child, ended, open, ask } = await start(t, longGrace)
      const used = [
        'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
        'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
        'garbage\r\n\r\n',
      ]
      const sockets = used.map((bytes) => {
        const socket = open()
        socket.write(bytes)
        return socket
      })
      const silent = open()
      await once(silent, 'connect')
      await Promise.all(sockets.map((socket) => once(socket, 'data')))
      assert.equal((await ask('/readyz', new Agent({ keepAlive: true }))).status, 200)
      child.kill(signal)
      assert.deepEqual(await ended, [0, null])
    })
  }

  test('every request accepted under load gets a response', async (t) => {
    const { child, ended, ask } = await start(t, longGrace)
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    const statuses = new Set<number>()
    let refused = 0
    const load = Array.from({ length: 20 }, async () => {
      while (refused < 20) {
        await ask(`${api}/projects`, agent).then(
          ({ status }) => statuses.add(status),
          // A request sent while its idle connection is being closed was not accepted.
          (error: NodeJS.ErrnoException) => {
            assert.ok(['ECONNREFUSED', 'ECONNRESET'].includes(error.code!), error.code)
            refused += 1
          },
        )
      }
    })
    await until('the load runs', () => statuses.size > 0)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    await Promise.all(load)
    assert.deepEqual([...statuses], [200])
  })
})
