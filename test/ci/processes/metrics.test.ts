// The metrics for Prometheus, of one process or of several together. Against the artifact.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { id, web } from '../../support/data.ts'
import { databaseSuite } from '../../support/artifact-suite.ts'
import { readMetrics } from '../../support/prometheus.ts'
import { api, issueKey } from '../../support/workgate.ts'
import { until } from '../../faults/fixtures/embedded.ts'
import { startWorkers } from '../../workers/workers-service.ts'

const { url: DATABASE_URL, sql, key, lock } = await databaseSuite('nameOfKey')
const slowKey = await issueKey(sql, 'slow', { rateLimit: 2 })

const tasks = `${api}/projects/${web}/tasks`
const word = 'aSecretWord'

for (const WORKERS of ['1', '3']) {
  describe(`/metrics with WORKERS=${WORKERS}`, { concurrency: false }, () => {
    let service: Awaited<ReturnType<typeof startWorkers>>
    let metrics: URL

    before(async () => {
      const settings = { WORKERS, METRICS_LISTEN: '127.0.0.1:0', DATABASE_POOL: '6' }
      service = await startWorkers({ DATABASE_URL, ...settings })
      await service.untilLogged('serving metrics')
      metrics = new URL(service.linesWith('serving metrics')[0]!['url'] as string)
    })
    after(() => service.child.kill('SIGKILL'))

    const text = async () => (await fetch(metrics)).text()

    /** The sum of all samples with this name and these labels. */
    async function read(name: string, labels: Record<string, string> = {}): Promise<number> {
      const samples = [...readMetrics(await text()).values()].flatMap((family) => family.samples)
      const matching = samples.filter(
        (sample) =>
          sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      )
      assert.ok(matching.length > 0 || Object.keys(labels).length > 0, `there is no ${name}`)
      return matching.reduce((sum, { value }) => sum + value, 0)
    }
    const requests = (labels: Record<string, string>) => read('workgate_http_requests_total', labels)

    test('counts hits and misses of the response cache', async () => {
      for (let n = 0; n < 12; n++) await service.ask(tasks, key)
      const [hits, misses] = [await read('workgate_cache_hits_total'), await read('workgate_cache_misses_total')]
      assert.equal(hits + misses, 12)
      assert.equal(misses, Number(WORKERS), 'one miss per worker')
      assert.equal(await read('workgate_cache_entries'), Number(WORKERS))
      assert.ok((await read('workgate_cache_bytes')) > 1_000)
      assert.equal(await read('workgate_freshness_checks_total'), 12)
      assert.equal(await read('workgate_freshness_batches_total'), 12)
    })

    test('counts requests by route and status, and contains nothing that clients sent', async () => {
      const route = '/projects/:projectId/tasks'
      assert.equal(await requests({ method: 'GET', route, status: '200' }), 12)
      const took = 'workgate_http_request_duration_seconds'
      assert.equal(await read(`${took}_count`, { method: 'GET', route }), 12)
      assert.equal(await read(`${took}_bucket`, { method: 'GET', route, le: '+Inf' }), 12)
      const seconds = await read(`${took}_sum`, { route })
      assert.ok(seconds > 0 && seconds < 12 * 30, `${seconds} s`)

      const statusOf = async (path: string, as = key, method = 'GET') =>
        (await fetch(service.url + path, { method, headers: { authorization: `Bearer ${as}` } })).status
      assert.equal(await statusOf(`${tasks}/${id('task', 1)}?${word}=1`), 400)
      assert.equal(await statusOf(`${api}/${word}`), 404)
      assert.equal(await statusOf(`/${word}/${key}`), 404)
      assert.equal(await statusOf(tasks, word), 401)
      assert.equal(await statusOf(tasks, key, 'PROPFIND'), 405)
      assert.equal(await statusOf('/healthz'), 200)
      assert.equal(await requests({ route: '/projects/:projectId/tasks/:taskId', status: '400' }), 1)
      assert.equal(await requests({ route: 'none', status: '404' }), 2)
      assert.equal(await requests({ route: 'none', status: '401' }), 1)
      assert.equal(await requests({ route: '/healthz', status: '200' }), 1)
      assert.equal(await requests({ route, method: 'other', status: '405' }), 1)
      assert.equal(await read('workgate_problems_total', { code: 'UNAUTHENTICATED' }), 1)
      assert.equal(await read('workgate_problems_total', { code: 'KEY_REVOKED' }), 0)
      const all = await text()
      for (const sent of [word, key.slice(16, -6), key.slice(3, 15), web, id('task', 1), 'nameOfKey', 'PROPFIND']) {
        assert.ok(!all.includes(sent), sent)
      }
    })

    test('counts rate-limited requests', async () => {
      const path = `${api}/key`
      let refused = 0
      for (let n = 0; n < 12; n++) refused += Number((await service.ask(path, slowKey)).status === 429)
      const failed = await Promise.all(Array.from({ length: 90 }, () => service.ask(path, word)))
      const tooMany = failed.filter(({ status }) => status === 429)
      const limited = 'workgate_rate_limited_total'
      const [byKey, byAddress] = [await read(limited, { by: 'key' }), await read(limited, { by: 'address' })]
      assert.ok(refused > 0)
      assert.equal(byKey, refused)
      assert.equal(byAddress, tooMany.length)
      assert.equal(await read('workgate_problems_total', { code: 'RATE_LIMITED' }), byKey + byAddress)
    })

    test('counts running requests, long polls, and statements waiting for a connection', async (t) => {
      const held = service.ask(`${tasks}/${id('task', 1)}/work-packet/verification?minVersion=900&wait=2`, key)
      await until('one long poll waits', async () => (await read('workgate_waiters')) === 1)
      const release = await lock(t, 'teams')
      // Each request is different, because equal requests share a statement.
      const responses = Array.from({ length: 8 * Number(WORKERS) }, (_, n) =>
        service.ask(`${api}/projects/${web}/teams?limit=${n + 1}`, key),
      )
      const pool = { pool: 'statements' }
      assert.equal(await read('workgate_database_connections_max', pool), 6)
      assert.equal(await read('workgate_database_connections_max', { pool: 'checks' }), 2 * Number(WORKERS))
      await until('all connections are in use', async () => (await read('workgate_database_connections_in_use', pool)) === 6) // prettier-ignore
      assert.equal(await read('workgate_database_connections', pool), 6)
      await until('others wait for one', async () => (await read('workgate_database_statements_waiting', pool)) >= 2)
      assert.ok((await read('workgate_http_requests_in_flight')) >= 8 * Number(WORKERS))
      await release()
      await Promise.all([...responses, held])
      await until('none is in use', async () => (await read('workgate_database_connections_in_use', pool)) === 0)
      for (const name of ['workgate_waiters', 'workgate_http_requests_in_flight']) {
        assert.equal(await read(name), 0, name)
      }
    })

    test('counts connections and malformed requests', async () => {
      const { port } = new URL(service.url)
      const before = await read('workgate_connections_accepted_total')
      const open = await read('workgate_connections')
      // More than are open: those of earlier requests can end at any time.
      const added = open + 3
      const sockets = Array.from({ length: added }, () => connect(Number(port), '127.0.0.1').on('error', () => {}))
      await until(
        'they are connected',
        async () => (await read('workgate_connections_accepted_total')) === before + added,
      )
      assert.ok((await read('workgate_connections')) >= added)
      for (const [index, bytes] of ['garbage', 'GET /healthz HTTP/1.1'].entries()) {
        sockets[index]!.write(`${bytes}\r\n\r\n`)
        await once(sockets[index]!, 'data')
        assert.equal(await read('workgate_malformed_requests_total'), index + 1, bytes)
      }
      for (const socket of sockets) socket.destroy()
      await until('they are gone', async () => (await read('workgate_connections')) <= open)
    })

    test('reports CPU, memory and files of the processes', async () => {
      const started = await read('process_start_time_seconds')
      assert.ok(started <= Date.now() / 1_000 && started > Date.now() / 1_000 - 600)
      assert.ok((await read('process_resident_memory_bytes')) > 30e6 * Number(WORKERS))
      assert.ok((await read('process_cpu_seconds_total')) > 0)
      assert.ok((await read('process_open_fds')) > 10)
      assert.ok((await read('process_max_fds')) > (await read('process_open_fds')))
      assert.equal(await read('nodejs_version_info', { version: process.version }), 1)
      assert.equal(await read('workgate_build_info'), 1)
      await until('the event loop was measured', async () => (await read('workgate_event_loop_delay_seconds_count')) > 3) // prettier-ignore
    })

    if (WORKERS === '3') {
      test('keeps the counts of a killed worker, and does not wait for an unresponsive one', async () => {
        const route = '/projects/:projectId/tasks'
        const answered = await requests({ route })
        const [first, second] = service.pids()
        process.kill(first!, 'SIGKILL')
        await service.untilLogged('worker restarted')
        assert.equal(await requests({ route }), answered)
        assert.equal(await read('workgate_worker_restarts_total'), 1)
        assert.equal(await read('workgate_workers'), 3)
        process.kill(second!, 'SIGSTOP')
        assert.equal(await requests({ route }), answered)
        process.kill(second!, 'SIGCONT')
      })
    }

    const promtool = process.env['PROMTOOL']
    const skip = !promtool && !process.env['CI'] && 'SKIPPED: PROMTOOL does not name the program'
    test('has no problems according to promtool', { skip }, async () => {
      const check = spawn(promtool!, ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] })
      const output = Promise.all([check.stdout.toArray(), check.stderr.toArray()])
      check.stdin.end(await text())
      const [code] = await once(check, 'close')
      assert.deepEqual([code, (await output).flat().join('')], [0, ''])
    })

    test('is described completely in the guide', async () => {
      const guide = await readFile('src/docs/guides/monitoring.md', 'utf8')
      const names = [...readMetrics(await text()).keys()]
      assert.deepEqual(names.filter((name) => !guide.includes(`\`${name}\``)), []) // prettier-ignore
    })

    test('is served only at its own address, and nothing else is served there', async () => {
      const statusOf = async (url: string | URL, method = 'GET') => (await fetch(url, { method })).status
      assert.equal(await statusOf(new URL('/healthz', metrics)), 404)
      assert.equal(await statusOf(metrics, 'POST'), 405)
      assert.equal(await statusOf(`${service.url}/metrics`), 404)
    })

    test('stops with the service', async () => {
      service.child.kill('SIGTERM')
      assert.deepEqual(await service.ended, [0, null])
    })
  })
}
