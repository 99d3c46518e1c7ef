// The progress of a project uses only indexes, and reads each only within the range: with statistics, and without, as
// after a bulk load.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { idOf, idSql, planSuite } from './plan-suite.ts'
import { findProgress } from '../../../src/resources/analytics/get-progress.ts'

const project = idOf('003', 1)
const { sql, explain } = await planSuite(
  `
    insert into workgate.projects (id, key, name)
    select ${idSql('003', 'n')}, 'P' || n, n from generate_series(1, 200) n;
    insert into workgate.tasks (project_id, number, title, state, created_at, completed_at)
    select p.id, n, n, case when n % 3 > 0 then 'completed' else 'open' end, m.at, case when n % 3 > 0 then m.at + n * interval '1 minute' end
    from workgate.projects p
    cross join generate_series(1, 5000) n
    cross join lateral (select timestamptz '2026-01-01' + n * interval '100 minutes' as at) m
    where p.key in ('P1', 'P2');
    select workgate.recount(id) from workgate.projects where key in ('P1', 'P2');
    insert into workgate.tally_deltas select project_id, kind, at, key, part, 0, 0 from workgate.tallies where span = 'quarter hour' limit 900`,
  '',
)

function plan(interval: string, zone = 'Asia/Kathmandu', options?: string) {
  const range = {
    from: '2026-01-01',
    to: '2026-12-24',
    interval,
    timezone: zone,
    zone,
    today: '2026-11-21',
    measure: null,
  }
  return explain(findProgress, { ...range, projectId: project }, options)
}

// prettier-ignore
const walks: [index: string, conditions: string[], times: number][] = [
  ['tallies_pkey',            ['project_id = ', 'kind = ', 'span = ', 'at >= ', 'at < '], 4],
  ['tally_deltas_by_project', ['project_id = ', 'kind = ', 'at >= ', 'at < '],            3],
  ['tasks_by_completed_at',   ['project_id = ', 'COALESCE(', '>=', '<'],                  1],
  // The first task of the project: one row of each.
  ['tasks_by_created_at',     ['project_id = ', 'IS NOT NULL'],                           1],
  ['tasks_by_completed_at',   ['project_id = ', 'COALESCE(', 'IS NOT NULL'],              1],
]

describe('the number of scans of the tallies', () => {
  const scans = async (zone: string) => {
    const text = await plan('day', zone, 'analyze, timing off')
    const loops = [...text.matchAll(/using tallies_pkey .*loops=(\d+)/g)].map(([, loops]) => Number(loops))
    return loops.reduce((sum, each) => sum + each, 0)
  }

  test('does not grow with the number of days in UTC', async () => {
    assert.ok((await scans('UTC')) < 50)
  })

  test('is at most two for each day and kind in other time zones', async () => {
    assert.ok((await scans('Asia/Kathmandu')) < 4 * 358 + 50)
  })
})

for (const statistics of ['without statistics', 'with statistics']) {
  describe(statistics, () => {
    before(async () => {
      if (statistics === 'with statistics') await sql`analyze`
    })

    for (const interval of ['day', 'month']) {
      test(`by ${interval}`, async () => {
        const text = await plan(interval)
        assert.doesNotMatch(text, /Seq Scan on (?!projects)/, text)
        const scans = [...text.matchAll(/(?:using|on) ((?:tall|tasks_)\w+).*\n +Index Cond: (.*)/g)]
        for (const [index, conditions, times] of walks) {
          const found = scans.filter(([, name, all]) => name === index && conditions.every((one) => all!.includes(one)))
          assert.equal(found.length, times, `${index}: ${text}`)
        }
        assert.equal(scans.length, 10, text)
      })
    }
  })
}
