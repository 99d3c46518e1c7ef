// Measures how the cost of analytics grows with the size of a project, and what the tallies cost writers.

import { api } from '../support/workgate.ts'
import type { Part } from './part.ts'
import { race, ratio } from './race.ts'
import { fillSizes, projectOf, timeLoads } from './sizes.ts'
import { atLeast, atMost, milliseconds, perSecond, printTable, type Line } from './table.ts'

const twoYears = `from=${daysAgo(730)}&to=${daysAgo(-1)}`
/** The longest range that can be divided into days. */
const longest = `from=${daysAgo(1099)}&to=${daysAgo(-1)}`
const analyses = [
  'overview',
  'progress',
  'progress?timezone=America/New_York',
  `progress?interval=month&${twoYears}`,
  'time',
  `time?${twoYears}`,
  'time?groupBy=day',
  'time?groupBy=task',
  // The costliest that read tallies.
  `progress?${longest}`,
  `progress?${longest}&timezone=Pacific/Chatham`,
  `time?groupBy=day&${longest}`,
  `time?groupBy=day&${longest}&userId=ALL`,
]
/** The costliest of all: it adds up every entry of the range. */
const sumOfEntries = `time?groupBy=task&${longest}`

export const benchAnalytics: Part = async ({ sql, uncached, headers, load, pgbench, rounds, sizes, loaded }) => {
  const { withTriggers, without } = await timeLoads(sql, loaded)
  await fillSizes(sql, sizes)
  const times = withTriggers / without
  const lines: Line[] = [
    [`COPY of ${loaded} tasks`, `${withTriggers.toFixed(1)} s`, `${times.toFixed(2)} times as long as without triggers ${atMost('2.5', times <= 2.5)}`],
  ] // prettier-ignore

  const secondsFor = async (path: string) => {
    const { alone } = await race(Math.min(rounds, 2), { alone: () => load(uncached, 1, [{ method: 'GET', path: api + path, headers }]) }) // prettier-ignore
    return 1 / alone.rate
  }
  const users = await sql`select id from workgate.users order by id limit 100`
  const everybody = users.map(({ id }) => id).join(',')
  for (const analysis of [...analyses, sumOfEntries]) {
    const path = analysis.replace('ALL', everybody)
    const seconds: number[] = []
    for (const size of sizes) seconds.push(await secondsFor(`/projects/${projectOf(size)}/analytics/${path}`))
    const figures = seconds.map((each) => (each * 1000).toFixed(1)).join(' / ')
    const cost = seconds.at(-1)! / seconds[0]!
    lines.push([
      `GET …/analytics/${analysis}`,
      `${figures} ms`,
      `${cost.toFixed(2)} times the cost${analysis === sumOfEntries ? '' : ` ${atMost('3', cost <= 3)}`}`,
    ])
  }
  const [row] = await sql`select count(*)::int as n from workgate.projects`
  lines.push([`GET /projects/summary, ${row!['n']} projects`, milliseconds(await secondsFor('/projects/summary')), ''])

  await sql.unsafe(
    `insert into workgate.tasks (project_id, title) select id, 'Written' from workgate.projects where key ~ '^P'`,
  )
  const { one, many } = await race(rounds, {
    one: () => pgbench.script(spendTime(1), 32),
    many: () => pgbench.script(spendTime(32), 32),
  })
  const share = ratio(one, many)
  lines.push([`32 writers of time entries in one project`, perSecond(one.rate), `${share.toFixed(2)} of the rate in 32 projects (${perSecond(many.rate)}) ${atLeast(0.8, share)}`]) // prettier-ignore
  printTable(`Analytics of projects with ${sizes.join(', ')} tasks`, lines)
}

const spendTime = (projects: number) => `
\\set n random(1, ${projects})
insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
select t.project_id, t.id, (select id from workgate.users limit 1), '2026-01-01', '2026-01-01T10:00Z', '2026-01-01T11:00Z'
from workgate.tasks t
join workgate.projects p on p.id = t.project_id
where p.key = 'P' || :n and t.title = 'Written' and t.number = 2`

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
