// Tests where days begin and end: tasks at exact moments are counted on the right day of progress, on days of 23, 23.5,
// 24.5 and 25 hours, on days whose midnight is missing or occurs twice, and next to a day that never existed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isZoneName, zoneForDatabase } from '../../src/resources/analytics/zone-names.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { chooser } from '../support/random.ts'
import { addDays, bucketsOf, startOf } from './oracle-days.ts'
import type { Row } from './oracle-rows.ts'

// prettier-ignore
const days: [claim: string, timezone: string, days: Record<string, string[]>][] = [
  ['a day of 24 hours', 'UTC', {
    '2026-06-01': ['2026-06-01T00:00:00.000Z', '2026-06-01T23:59:59.999Z'],
    '2026-06-02': ['2026-06-02T00:00:00.000Z'],
  }],
  ['a day of 23 hours', 'Europe/Berlin', {
    '2026-03-28': ['2026-03-28T22:59:59.999Z'],
    '2026-03-29': ['2026-03-28T23:00:00.000Z', '2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    '2026-03-30': ['2026-03-29T22:00:00.000Z', '2026-03-30T21:59:59.999Z'],
  }],
  ['a day of 25 hours', 'Europe/Berlin', {
    '2026-10-24': ['2026-10-24T21:59:59.999Z'],
    '2026-10-25': ['2026-10-24T22:00:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-10-25T22:59:59.999Z'],
    '2026-10-26': ['2026-10-25T23:00:00.000Z'],
  }],
  ['a day of 24.5 hours', 'Australia/Lord_Howe', {
    '2026-04-04': ['2026-04-04T12:59:59.999Z'],
    '2026-04-05': ['2026-04-04T13:00:00.000Z', '2026-04-05T13:29:59.999Z'],
    '2026-04-06': ['2026-04-05T13:30:00.000Z', '2026-04-06T13:29:59.999Z'],
  }],
  ['a day of 23.5 hours', 'Australia/Lord_Howe', {
    '2026-10-03': ['2026-10-02T13:30:00.000Z', '2026-10-03T13:29:59.999Z'],
    '2026-10-04': ['2026-10-03T13:30:00.000Z', '2026-10-04T12:59:59.999Z'],
    '2026-10-05': ['2026-10-04T13:00:00.000Z'],
  }],
  ['a summer day with daylight saving time, despite the abbreviation', 'CET', {
    '2026-06-30': ['2026-06-30T21:59:59.999Z'],
    '2026-07-01': ['2026-06-30T22:00:00.000Z', '2026-07-01T21:59:59.999Z'],
    '2026-07-02': ['2026-07-01T22:00:00.000Z'],
  }],
  ['zone names are case-insensitive', 'wEt', {
    '2026-06-30': ['2026-06-30T22:59:59.999Z'],
    '2026-07-01': ['2026-06-30T23:00:00.000Z'],
  }],
  ['an offset of 5:45 hours', 'Asia/Kathmandu', {
    '2026-05-31': ['2026-05-31T18:14:59.999Z'],
    '2026-06-01': ['2026-05-31T18:15:00.000Z', '2026-06-01T18:14:59.999Z'],
    '2026-06-02': ['2026-06-01T18:15:00.000Z'],
  }],
  ['an offset in quarters of an hour, with a clock change', 'Pacific/Chatham', {
    '2026-09-26': ['2026-09-26T11:14:59.999Z'],
    '2026-09-27': ['2026-09-26T11:15:00.000Z', '2026-09-27T10:14:59.999Z'],
    '2026-09-28': ['2026-09-27T10:15:00.000Z'],
  }],
  ['the first of two midnights starts the day', 'America/Havana', {
    '2025-11-01': ['2025-11-02T03:59:59.999Z'],
    '2025-11-02': ['2025-11-02T04:00:00.000Z', '2025-11-02T04:59:59.999Z', '2025-11-02T05:00:00.000Z', '2025-11-03T04:59:59.999Z'],
    '2025-11-03': ['2025-11-03T05:00:00.000Z'],
  }],
  ['a day without midnight starts at one', 'America/Havana', {
    '2026-03-07': ['2026-03-08T04:59:59.999Z'],
    '2026-03-08': ['2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
    '2026-03-09': ['2026-03-09T04:00:00.000Z'],
  }],
  ['a missing midnight in the past', 'America/Sao_Paulo', {
    '2017-10-14': ['2017-10-15T02:59:59.999Z'],
    '2017-10-15': ['2017-10-15T03:00:00.000Z', '2017-10-16T01:59:59.999Z'],
    '2017-10-16': ['2017-10-16T02:00:00.000Z'],
  }],
  ['a day whose last hour occurs twice', 'America/Sao_Paulo', {
    '2018-02-17': ['2018-02-17T02:00:00.000Z', '2018-02-18T01:59:59.999Z', '2018-02-18T02:00:00.000Z', '2018-02-18T02:59:59.999Z'],
    '2018-02-18': ['2018-02-18T03:00:00.000Z'],
  }],
  ['a missing midnight this year', 'America/Santiago', {
    '2026-09-05': ['2026-09-06T03:59:59.999Z'],
    '2026-09-06': ['2026-09-06T04:00:00.000Z', '2026-09-07T02:59:59.999Z'],
    '2026-09-07': ['2026-09-07T03:00:00.000Z'],
  }],
  ['a skipped day is empty', 'Pacific/Apia', {
    '2011-12-29': ['2011-12-29T10:00:00.000Z', '2011-12-30T09:59:59.999Z'],
    '2011-12-30': [],
    '2011-12-31': ['2011-12-30T10:00:00.000Z', '2011-12-31T09:59:59.999Z'],
    '2012-01-01': ['2011-12-31T10:00:00.000Z'],
  }],
  ['a day starts at its first moment, even if the clocks then go back to the day before', 'America/St_Johns', {
    '2010-11-06': ['2010-11-06T02:30:00.000Z', '2010-11-07T02:29:59.999Z'],
    '2010-11-07': ['2010-11-07T02:30:00.000Z', '2010-11-07T02:31:00.000Z', '2010-11-07T03:30:00.000Z', '2010-11-08T03:29:59.999Z'],
    '2010-11-08': ['2010-11-08T03:30:00.000Z'],
  }],
]

const { id } = chooser(2026)
const { workgate, key } = await contractSuite({ environment: { LOG_LEVEL: 'error' } })

async function data(project: string, name: string, query: Record<string, string>): Promise<Row> {
  const line = `GET /projects/${project}/analytics/${name}?${new URLSearchParams(query)}`
  const { status, text, body } = await workgate.send(line, { key })
  assert.equal(status, 200, `${line}\n${text}`)
  return body.data
}

const pick = (rows: Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]))

let projects = 0
async function insertProject(): Promise<string> {
  const project = id()
  await workgate.sql`insert into workgate.projects ${workgate.sql({ id: project, key: `Z${projects++}`, name: 'Zone' })}`
  return project
}

/** Inserts a task created, one completed and one cancelled at the moment. */
async function insertAt(project: string, moment: string) {
  await workgate.sql`
    insert into workgate.tasks (project_id, title, state, created_at, completed_at, cancelled_at)
    values
      (${project}, 'Created',   'open',      ${moment},    null,      null),
      (${project}, 'Completed', 'completed', '2000-01-01', ${moment}, null),
      (${project}, 'Cancelled', 'cancelled', '2000-01-01', null,      ${moment})`
}

for (const [claim, timezone, momentsOf] of days) {
  const from = Object.keys(momentsOf)[0]!
  const to = addDays(Object.keys(momentsOf).at(-1)!, 1)
  const expected = Object.entries(momentsOf).map(([day, moments]) => [day, moments.length])

  test(`${timezone}: ${claim}, in the oracle`, () => {
    const moments = Object.values(momentsOf).flat()
    const found = bucketsOf(from, to, 'day').map(({ start, end }) => {
      const [first, last] = [startOf(timezone, start), startOf(timezone, end)]
      return [start, moments.filter((moment) => Date.parse(moment) >= first && Date.parse(moment) < last).length]
    })
    assert.deepEqual(found, expected)
  })

  test(`${timezone}: ${claim}`, async () => {
    const project = await insertProject()
    for (const moment of Object.values(momentsOf).flat()) await insertAt(project, moment)
    const { series, timezone: given } = await data(project, 'progress', { from, to, timezone })
    for (const name of ['created', 'completed', 'cancelled']) {
      assert.deepEqual(pick(series, 'start', name), expected, name)
    }
    assert.equal(given, timezone)
  })
}

test('zones that PostgreSQL also knows as abbreviations have the same days as in Intl, in any case', async () => {
  const known = await workgate.sql`
    select abbrev as name from pg_timezone_abbrevs union select name from pg_timezone_names where name !~ '/'`
  const accepted = known.map(({ name }) => name as string).filter(isZoneName)
  const names = [...new Set(accepted.flatMap((name) => [name, name.toLowerCase()]))]
  for (const name of ['CET', 'eet', 'MET', 'wet', 'EST', 'utc']) assert.ok(names.includes(name), name)
  const first = '2026-01-01'
  const rows = await workgate.sql`
    select z.name, array_agg((extract(epoch from workgate.start_of_day(${first}::date + n, z.zone)) * 1000)::float order by n) as starts
    from unnest(${names}::text[], ${names.map(zoneForDatabase)}::text[]) as z (name, zone), generate_series(0, 365) as n
    group by z.name`
  assert.equal(rows.length, names.length)
  for (const { name, starts } of rows) {
    assert.deepEqual(starts, (starts as number[]).map((_, n) => startOf(name, addDays(first, n))), name) // prettier-ignore
  }
})
