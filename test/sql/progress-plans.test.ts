// The progress of a project goes by indexes alone, and along each only as far as the range goes: with statistics, and
// without, as after a load.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { bind, query } from '../../src/db/query.ts'
import { freshDatabase } from '../support/workgate.ts'
import progress from '../../sql/analytics/progress.sql'

const project = '00000000-0000-7000-8003-000000000001'
let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Database

before(async () => {
  database = await freshDatabase()
  db = openDatabase({ target: { url: database.url }, poolSize: 1, statementTimeoutMs: 30_000 })
  await database.sql.unsafe(`
    alter table workgate.tasks set (autovacuum_enabled = off);
    alter table workgate.tallies set (autovacuum_enabled = off);
    alter table workgate.tally_deltas set (autovacuum_enabled = off);
    insert into workgate.projects (id, key, name)
    select ('00000000-0000-7000-8003-' || lpad(n::text, 12, '0'))::uuid, 'P' || n, n from generate_series(1, 200) n;
    insert into workgate.tasks (project_id, title, state, created_at, completed_at)
    select p.id, n, case when n % 3 > 0 then 'completed' else 'open' end, m.at, case when n % 3 > 0 then m.at + n * interval '1 minute' end
    from workgate.projects p
    cross join generate_series(1, 5000) n
    cross join lateral (select timestamptz '2026-01-01' + n * interval '100 minutes' as at) m
    where p.key in ('P1', 'P2');
    insert into workgate.tally_deltas select project_id, kind, at, key, part, 0, 0 from workgate.tallies where span = 'quarter hour' limit 900`)
})
after(async () => {
  await db.close()
  await database.drop()
})

async function plan(interval: string) {
  const { statement } = query(progress)
  const range = {
    from: '2026-01-01',
    to: '2026-12-24',
    interval,
    timezone: 'Asia/Kathmandu',
    zone: 'Asia/Kathmandu',
    today: '2026-11-21',
  }
  const lines = await db.run<{ 'QUERY PLAN': string }>(
    `explain (costs off) ${statement.text}`,
    bind(statement, { ...range, projectId: project }),
  )
  return lines.map((line) => line['QUERY PLAN']).join('\n')
}

// prettier-ignore
const walks: [index: string, conditions: string[], times: number][] = [
  ['tallies_pkey',            ['project_id = ', 'kind = ', 'span = ', 'at >= ', 'at < '], 2],
  ['tally_deltas_by_project', ['project_id = ', 'kind = ', 'at >= ', 'at < '],            2],
  ['tasks_by_completed_at',   ['project_id = ', 'COALESCE(', '>=', '<'],                  1],
]

for (const statistics of ['without statistics', 'with statistics']) {
  describe(statistics, () => {
    before(async () => {
      if (statistics === 'with statistics') await database.sql`analyze`
    })

    for (const interval of ['day', 'month']) {
      test(`by ${interval}`, async () => {
        const text = await plan(interval)
        assert.doesNotMatch(text, /Seq Scan on (?!projects)/, text)
        for (const [index, conditions, times] of walks) {
          const found = [...text.matchAll(new RegExp(`Scan using ${index} .*\\n +Index Cond: (.*)`, 'g'))]
          assert.equal(found.length, times, text)
          for (const condition of conditions) assert.ok(found.every(([, all]) => all!.includes(condition)), text) // prettier-ignore
        }
      })
    }
  })
}
