// An operator holds an exclusive lock: blocked requests are refused in time, and all others are served.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../faults/fixtures/embedded.ts'
import { app, web } from '../../support/data.ts'
import { api } from '../../support/workgate.ts'
import { startClients, sumOf, type Clients } from './load-clients.ts'
import { printFigures } from '../../support/figures.ts'
import { prepare, startPostgres, startService } from './stage.ts'

/** A statement waits for a lock for a quarter of this. */
const statementTimeoutMs = 6_000
const laterMs = 4_000

async function whileLocked(
  t: TestContext,
  fault: string,
  lock: string,
  of: (url: string, key: string) => { locked: Clients[]; free: Clients[] },
) {
  const server = await startPostgres(t)
  const { sql, key } = await prepare(t, server.url('postgres'))
  const { url } = await startService(t, {
    DATABASE_URL: server.url('postgres'),
    STATEMENT_TIMEOUT_MS: String(statementTimeoutMs),
  })
  await sql`begin`
  await sql.unsafe(lock)
  const { locked, free } = of(url + api, key)
  // At first, blocked requests may take every connection, until the first of each statement have timed out.
  await until('the blocked statements are known', () => locked.every((one) => sumOf([one], 503) >= one.clients))
  const servedAtFirst = free.map((one) => sumOf([one], 200, 201))
  await until('others are served', () =>
    free.every((one, n) => sumOf([one], 200, 201) >= servedAtFirst[n]! + one.clients),
  )
  const before = [sumOf(free, 200, 201), sumOf(free, 503)] as const
  await sleep(laterMs)
  await Promise.all(free.map((one) => one.stop()))
  await sql`rollback`
  const began = performance.now()
  await until('every request is served again', () => locked.every(({ counts }) => counts[200] || counts[201]))
  const seconds = (performance.now() - began) / 1_000
  await Promise.all(locked.map((one) => one.stop()))
  const [served, refused] = [sumOf(free, 200, 201) - before[0], sumOf(free, 503) - before[1]]
  printFigures(fault, {
    'refused with 503 meanwhile': sumOf(locked, 503),
    'longest wait in seconds': Math.max(...locked.map(({ longest }) => longest())),
    'others served': before[0] + served,
    'others refused with 503 in the beginning': before[1],
    'others refused with 503 later': refused,
    hung: 0,
    'seconds until recovery': seconds,
  })
  assert.ok(sumOf(locked, 503) > 0)
  assert.ok(served > 20 && refused < served / 10, `${served} were served and ${refused} refused`)
}

test('a lock on tasks: requests that need the table get 503, all others are served', async (t) => {
  await whileLocked(t, 'a table is locked', 'lock table workgate.tasks in access exclusive mode', (url, key) => ({
    // Several statements that need the table, each requested by more clients than there are connections.
    locked: [
      startClients(t, 20, (n) => [`${url}/projects/${web}/tasks?q=a${n}`, { key }]),
      startClients(t, 20, (n) => [`${url}/projects/${web}/analytics/progress?from=2026-01-01&to=2026-02-${10 + (n % 18)}`, { key }]), // prettier-ignore
      startClients(t, 20, (n) => [`${url}/projects/${web}/tasks`, { key, ...post(n) }]),
    ],
    free: [
      startClients(t, 4, (n) => [`${url}/projects/${web}/users?q=a${n}`, { key }]),
      startClients(t, 4, (n) => [`${url}/projects?q=a${n}`, { key }]),
    ],
  }))
})

test('a lock on rows that writes in one project need: writes in other projects succeed', async (t) => {
  const lock = `select from workgate.task_counters where project_id = '${web}' for update`
  await whileLocked(t, 'rows of one project are locked', lock, (url, key) => ({
    locked: [startClients(t, 40, (n) => [`${url}/projects/${web}/tasks`, { key, ...post(n) }])],
    free: [
      startClients(t, 4, (n) => [`${url}/projects/${app}/tasks`, { key, ...post(n) }]),
      startClients(t, 4, (n) => [`${url}/projects/${web}/tasks?q=a${n}`, { key }]),
    ],
  }))
})

const post = (n: number) => ({ method: 'POST', body: { title: `Locked ${n}` } }) as const
