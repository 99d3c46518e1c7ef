// A day in minutes: reads, writes, long polls and malformed requests at once, and nothing may grow.
// SOAK_MINUTES=30 npm test -- --alone test/ci/faults/soak.test.ts

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { api, type Sql } from '../../support/workgate.ts'
import { prepareAging } from './aged.ts'
import { printFigures } from '../../support/figures.ts'
import { prepare, project, startPostgres, startService } from './stage.ts'
import { startMixedLoad } from './mixed-load.ts'

const minutes = Number(process.env['SOAK_MINUTES'] ?? 0.75)
const clients = 12

type Sample = Record<string, number>

/** How much each may grow from the second quarter to the last: by a factor, and by an amount on top. */
const maxGrowth: Record<string, [times: number, more: number]> = {
  'heap in MB': [1.1, 3],
  'memory in MB': [1.15, 20],
  'files and sockets': [1.2, 20],
  'timers and sockets': [1.2, 20],
  'rows of freshness_marks': [1.5, 2_000],
  'rows of tally_deltas': [1.5, 2_000],
  'rows of idempotency_records': [1.5, 1_000],
  'rows of api_key_uses': [1.5, 100],
}

/** Simulates the effects of a day: idempotency records age, and tasks and keys are deleted. */
async function age(sql: Sql): Promise<void> {
  await sql`
    update workgate.idempotency_records set created_at = created_at - interval '1 day'
    where created_at between now() - interval '23 hours' and now() - interval '10 seconds'`
  await sql`delete from workgate.tasks where project_id = ${project} and number < (
    select max(number) - 500 from workgate.tasks where project_id = ${project})`
  await sql`delete from workgate.api_keys where name like 'temporary%' and created_at < now() - interval '10 seconds'`
}

async function countRows(sql: Sql): Promise<Sample> {
  const tables = ['freshness_marks', 'tally_deltas', 'idempotency_records', 'api_key_uses']
  const counts = await Promise.all(tables.map((table) => sql.unsafe(`select count(*)::integer from workgate.${table}`)))
  return Object.fromEntries(tables.map((table, n) => [`rows of ${table}`, counts[n]![0]!['count'] as number]))
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!

test(`${minutes} minutes of everything at once: memory, connections and bookkeeping do not grow`, async (t) => {
  const aging = prepareAging(t)
  const server = await startPostgres(t, { fsync: 'off' })
  const { sql, key } = await prepare(t, server.url('postgres'))
  const service = await startService(t, {
    DATABASE_URL: server.url('postgres'),
    // Small, to be full long before the second quarter.
    CACHE_MB: '1',
    MAX_WAITERS: '100',
    TRUST_PROXY: '1',
    ...aging.environment,
  })
  const pid = service.child.pid!
  const load = startMixedLoad(t, { url: service.url + api, key, project, sql, clients })
  const samples: Sample[] = []
  const end = performance.now() + minutes * 60_000
  while (performance.now() < end) {
    await Promise.race([sleep(1_000), load.failed])
    await age(sql)
    const usage = aging.records().at(-1)
    if (!usage) continue
    const { heap, rss, resources } = usage
    samples.push({
      'heap in MB': heap / 1_048_576,
      'memory in MB': rss / 1_048_576,
      'files and sockets': readdirSync(`/proc/${pid}/fd`).length,
      'timers and sockets': resources,
      ...(await countRows(sql)),
    })
  }
  const { made, statusCounts } = await load.stop()
  const quarter = (n: number) => samples.slice((samples.length * n) / 4, (samples.length * (n + 1)) / 4)
  const [second, last] = [quarter(1), quarter(3)]
  const grown = Object.entries(maxGrowth).map(([what, [times, more]]) => {
    const [before, after] = [second, last].map((some) => median(some.map((sample) => sample[what]!))) as [
      number,
      number,
    ]
    return { what, before, after, isFlat: after <= before * times + more }
  })
  printFigures(`soak of ${minutes} minutes`, {
    'requests made': made,
    ...statusCounts,
    hung: 0,
    ...Object.fromEntries(
      grown.map(({ what, before, after }) => [what, `${Math.round(before)} -> ${Math.round(after)}`]),
    ),
  })
  assert.deepEqual(
    grown.filter(({ isFlat }) => !isFlat),
    [],
  )
  assert.ok(second.length >= 5 && last.length >= 5)
  assert.equal(service.child.exitCode, null)
})
