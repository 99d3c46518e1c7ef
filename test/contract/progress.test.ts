// GET /projects/:projectId/analytics/progress: the counts of each interval, and refused requests.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, missing, old, web } from '../support/data.ts'
import { inDays, insertTasks, onOneDay, projectOf as newProject, type Task } from '../support/flow.ts'
import { assertRefused } from '../support/refused.ts'

const { workgate, key } = await contractSuite({ data: 'basic' })

await workgate.sql`delete from workgate.tasks`
await insertTasks(workgate.sql, web, [
  { created: '2026-02-27T00:00Z', completed: '2026-02-28T00:00Z' },
  { created: '2026-03-02T09:00Z', completed: '2026-03-04T09:00Z' },
  { created: '2026-03-02T10:00Z', reopened: ['2026-03-06T08:00Z', '2026-03-06T09:00Z'] },
  { created: '2026-03-03T23:30Z', completed: '2026-03-08T23:45Z' },
  { created: '2026-03-05T12:00Z', cancelled: '2026-03-10T12:00Z' },
  { created: '2026-03-20T00:00Z', completed: '2026-03-10T06:00Z' },
  { created: '2026-04-01T00:00Z', completed: '2026-04-01T00:00:10.999Z' },
])
// Tasks of another project do not count.
await insertTasks(workgate.sql, app, [
  { created: '2026-03-02T09:00Z', completed: '2026-03-04T09:00Z', reopened: ['2026-03-06T08:00Z'] },
  { created: '2026-03-05T12:00Z', cancelled: '2026-03-10T12:00Z' },
])

const projectOf = (tasks: Task[]) => newProject(workgate.sql, tasks)
const get = (project: string, query: string) =>
  workgate.send(`GET /projects/${project}/analytics/progress?${query}`, { key })

async function progress(project: string, query: string) {
  const { status, body } = await get(project, query)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

/** Formats an interval as one line: its days, the events in it, and the state at its end. */
const line = (b: Record<string, unknown>) =>
  `${b['start']} ${b['end']} ${b['created']} ${b['completed']} ${b['cancelled']} ${b['reopened']} = ${b['scope']} ${b['done']} ${b['remaining']}`

// prettier-ignore
const series: [claim: string, query: string, lines: string[]][] = [
  ['days, including empty ones', 'from=2026-03-01&to=2026-03-11', [
    '2026-03-01 2026-03-02 0 0 0 0 = 1 1 0',
    '2026-03-02 2026-03-03 2 0 0 0 = 3 1 2',
    '2026-03-03 2026-03-04 1 0 0 0 = 4 1 3',
    '2026-03-04 2026-03-05 0 1 0 0 = 4 2 2',
    '2026-03-05 2026-03-06 1 0 0 0 = 5 2 3',
    '2026-03-06 2026-03-07 0 0 0 2 = 5 2 3',
    '2026-03-07 2026-03-08 0 0 0 0 = 5 2 3',
    '2026-03-08 2026-03-09 0 1 0 0 = 5 3 2',
    '2026-03-09 2026-03-10 0 0 0 0 = 5 3 2',
    '2026-03-10 2026-03-11 0 1 1 0 = 4 4 0',
  ]],
  ['weeks begin on Monday; the first and the last are clipped to the range', 'from=2026-03-03&to=2026-04-02&interval=week', [
    '2026-03-03 2026-03-09 2 2 0 2 = 5 3 2',
    '2026-03-09 2026-03-16 0 1 1 0 = 4 4 0',
    '2026-03-16 2026-03-23 1 0 0 0 = 5 4 1',
    '2026-03-23 2026-03-30 0 0 0 0 = 5 4 1',
    '2026-03-30 2026-04-02 1 1 0 0 = 6 5 1',
  ]],
  ['a week across a new year is one interval', 'from=2025-12-29&to=2026-01-05&interval=week', [
    '2025-12-29 2026-01-05 0 0 0 0 = 0 0 0',
  ]],
  ['months', 'from=2026-02-28&to=2026-05-01&interval=month', [
    '2026-02-28 2026-03-01 0 1 0 0 = 1 1 0',
    '2026-03-01 2026-04-01 5 3 1 2 = 5 4 1',
    '2026-04-01 2026-05-01 1 1 0 0 = 6 5 1',
  ]],
  ['a month is clipped on both sides', 'from=2026-03-04&to=2026-03-09&interval=month', [
    '2026-03-04 2026-03-09 1 2 0 2 = 5 3 2',
  ]],
  ['days in a time zone', 'from=2026-03-03&to=2026-03-10&timezone=Europe/Berlin', [
    '2026-03-03 2026-03-04 0 0 0 0 = 3 1 2',
    '2026-03-04 2026-03-05 1 1 0 0 = 4 2 2',
    '2026-03-05 2026-03-06 1 0 0 0 = 5 2 3',
    '2026-03-06 2026-03-07 0 0 0 2 = 5 2 3',
    '2026-03-07 2026-03-08 0 0 0 0 = 5 2 3',
    '2026-03-08 2026-03-09 0 0 0 0 = 5 2 3',
    '2026-03-09 2026-03-10 0 1 0 0 = 5 3 2',
  ]],
  ['before all tasks', 'from=1999-12-31&to=2000-01-02', [
    '1999-12-31 2000-01-01 0 0 0 0 = 0 0 0',
    '2000-01-01 2000-01-02 0 0 0 0 = 0 0 0',
  ]],
  ['after all tasks', 'from=9999-12-30&to=9999-12-31', ['9999-12-30 9999-12-31 0 0 0 0 = 6 5 1']],
]

describe('the series', () => {
  for (const [claim, query, lines] of series) {
    test(claim, async () => assert.deepEqual((await progress(web, query)).series.map(line), lines))
  }
})

describe('a range', () => {
  // prettier-ignore
  const ranges: [claim: string, query: string, from: number, to: number, intervals: number][] = [
    ['is the last 30 days, including today',      '',                           -29,    1,    30],
    ['ends today if to is omitted',               `from=${inDays(-3)}`,          -3,    1,     4],
    ['has 30 days if from is omitted',            `to=${inDays(-100)}`,        -130, -100,    30],
    ['can be in the future',                      `from=${inDays(10)}&to=${inDays(12)}`, 10, 12, 2],
    ['can have 1,100 intervals',                  `from=${inDays(-1099)}`,    -1099,    1,  1100],
  ]
  for (const [claim, query, from, to, intervals] of ranges) {
    test(claim, () =>
      onOneDay(async () => {
        const data = await progress(web, query)
        assert.deepEqual(
          [data.from, data.to, data.interval, data.timezone, data.series.length],
          [inDays(from), inDays(to), 'day', 'UTC', intervals],
        )
      }),
    )
  }

  test('is echoed in the response', async () => {
    const data = await progress(web, 'from=2026-03-01&to=2026-04-01&interval=week&timezone=Europe/Berlin')
    assert.deepEqual([data.from, data.to, data.interval, data.timezone], ['2026-03-01', '2026-04-01', 'week', 'Europe/Berlin']) // prettier-ignore
  })

  test('begins no earlier than the year 1', async () => {
    const { body } = await get(web, 'to=0001-01-05')
    assert.equal(body.data.from, '0001-01-01')
  })
})

describe('the fields', () => {
  test('are zeros and nulls without tasks', () =>
    onOneDay(async () => {
      const { series, ...data } = await progress(old, '')
      assert.deepEqual(data, {
        from: inDays(-29),
        to: inDays(1),
        interval: 'day',
        timezone: 'UTC',
        measure: null,
        leadTime: { count: 0, p50Seconds: null, p85Seconds: null, p95Seconds: null, meanSeconds: null },
        throughputPerWeek: 0,
        forecast: null,
        forecastReason: 'nothing_remaining',
      })
      assert.equal(line(series[0]), `${inDays(-29)} ${inDays(-28)} 0 0 0 0 = 0 0 0`)
      assert.equal(new Set(series.map((b: object) => JSON.stringify(Object.values(b).slice(2)))).size, 1)
    }))
})

describe('the counts', () => {
  // prettier-ignore
  const leads: [claim: string, leads: number[], [p50: number, p85: number, p95: number, mean: number]][] = [
    ['one',                                    [61],                            [61, 61, 61, 61]],
    ['seconds are truncated, the mean is rounded', [1.9, 2.9],                      [1, 2, 2, 2]],
    ['nearest rank: half of four is two',      [10, 20, 30, 40],                [20, 40, 40, 25]],
    ['nearest rank of twenty',                 [...Array(20).keys()],           [9, 16, 18, 10]],
    ['nearest rank of twenty-one',             [...Array(21).keys()],           [10, 17, 19, 10]],
    ['a negative lead time counts as zero',    [-86_400, 30, 40],               [30, 40, 40, 23]],
  ]
  for (const [claim, seconds, [p50, p85, p95, mean]] of leads) {
    test(`lead times: ${claim}`, async () => {
      const completed = Date.parse('2026-05-05T12:00Z')
      const project = await projectOf(
        seconds.map((lead) => ({
          created: new Date(completed - lead * 1000).toISOString(),
          completed: new Date(completed).toISOString(),
        })),
      )
      // In UTC the completion is within a whole UTC day of the range. In the other zones it is after the last such day,
      // or before the first.
      for (const timezone of ['UTC', 'Asia/Kathmandu', 'America/New_York']) {
        const { leadTime } = await progress(project, `from=2026-05-05&to=2026-05-06&timezone=${timezone}`)
        const expected = { p50Seconds: p50, p85Seconds: p85, p95Seconds: p95, meanSeconds: mean }
        assert.deepEqual(leadTime, { count: seconds.length, ...expected })
      }
    })
  }
})

// prettier-ignore
const refused: [claim: string, query: string, name: string, message: RegExp][] = [
  ['a date that does not exist',                  'from=2026-02-30',                                     'from',     /must be a date such as/],
  ['a time instead of a date',             'to=2026-03-01T00:00:00Z',                             'to',       /must be a date such as/],
  ['an empty range',                      'from=2026-03-01&to=2026-03-01',                       'to',       /must be after from/],
  ['a reversed range',                   'from=2026-03-02&to=2026-03-01',                       'to',       /must be after from/],
  ['a from in the future without to',    `from=${inDays(2)}`,                                   'from',     /to is required as well/],
  ['an unknown interval',                 'interval=year',                                       'interval', /must be one of day, week, month/],
  ['an empty interval',                   'interval=',                                           'interval', /must be one of day, week, month/],
  ['1,101 days',                          'from=2023-01-01&to=2026-01-06',                       'interval', /into 1101 intervals/],
  ['too many weeks',                      'from=2000-01-01&to=2026-01-01&interval=week',         'interval', /into 1358 intervals/],
  ['too many months',                     'from=0001-01-01&to=9999-12-31&interval=month',        'interval', /into 119988 intervals/],
  ['an unknown time zone',            'timezone=Mars/Olympus',                               'timezone', /must be the name of a time zone/],
  ['an offset',                           'timezone=%2B02:00',                                   'timezone', /must be the name of a time zone/],
  ['an abbreviation with several meanings', 'timezone=IST',                                        'timezone', /must be the name of a time zone/],
  ['a zone with an odd offset at that time',    'from=1971-12-01&to=1972-02-01&timezone=Africa/Monrovia', 'timezone', /multiple of 15 minutes/],
  ['a range that begins with such an offset',   'from=1972-01-07&to=1972-02-01&timezone=Africa/Monrovia', 'timezone', /multiple of 15 minutes/],
  ['an unknown parameter',            'intervall=day',                                       'intervall', /did you mean interval/],
  ['a repeated parameter',                        'from=2026-03-01&from=2026-03-02',                     'from',     /is given more than once/],
]

describe('refused', () => {
  for (const [claim, query, name, message] of refused) {
    test(claim, async () => assertRefused(await get(web, query), name, message))
  }

  test('an unknown project, but only after the parameters are checked', async () => {
    assert.equal((await get(missing, '')).status, 404)
    assert.equal((await get(missing, 'interval=year')).status, 400)
  })
})
