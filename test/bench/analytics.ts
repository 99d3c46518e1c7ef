// What analytics cost as projects grow, and what their tallies cost those who write.

import type { Sql } from '../support/workgate.ts'
import type { Pgbench } from './pgbench.ts'
import { fillSizes, projectOf, timeLoads } from './sizes.ts'

export type Line = [what: string, figure: string, ratio: string]

interface Bench {
  sql: Sql
  sizes: readonly number[]
  /** How many tasks are loaded with the triggers and without. */
  loaded: number
  /** How many answers a second one client gets. */
  rate(path: string): Promise<number>
  pgbench: Pgbench
}

const twoYears = `from=${daysAgo(730)}&to=${daysAgo(-1)}`
const analyses = [
  'overview',
  'progress',
  'progress?timezone=America/New_York',
  `progress?interval=month&${twoYears}`,
  'time',
  `time?${twoYears}`,
  'time?groupBy=day&timezone=Asia/Kathmandu',
  'time?groupBy=task',
]

export async function benchAnalytics({ sql, sizes, loaded, rate, pgbench }: Bench): Promise<Line[]> {
  const { withTriggers, without } = await timeLoads(sql, loaded)
  await fillSizes(sql, sizes)
  const lines: Line[] = [[`COPY of ${loaded} tasks`, `${withTriggers.toFixed(1)} s`, `${(withTriggers / without).toFixed(2)} times as long as without triggers`]] // prettier-ignore

  for (const analysis of analyses) {
    const ms: number[] = []
    for (const size of sizes) ms.push(1000 / (await rate(`/projects/${projectOf(size)}/analytics/${analysis}`)))
    const figures = ms.map((each) => each.toFixed(1)).join(' / ')
    lines.push([`GET …/analytics/${analysis}`, `${figures} ms`, `${(ms.at(-1)! / ms[0]!).toFixed(2)} times the cost`])
  }
  const [row] = await sql`select count(*)::int as n from workgate.projects`
  lines.push([
    `GET /projects/summary, ${row!['n']} projects`,
    `${(1000 / (await rate('/projects/summary'))).toFixed(1)} ms`,
    '',
  ])

  await sql.unsafe(
    `insert into workgate.tasks (project_id, title) select id, 'Written' from workgate.projects where key ~ '^P'`,
  )
  const writers = async (projects: number) => pgbench.script(spendTime(projects), 32)
  const [one, many] = [await writers(1), await writers(32)]
  lines.push([`32 writers of time entries in one project`, `${Math.round(one)}/s`, `${(one / many).toFixed(2)} of those in 32 (${Math.round(many)}/s)`]) // prettier-ignore
  return lines
}

const spendTime = (projects: number) => `
\\set n random(1, ${projects})
insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
select t.project_id, t.id, (select id from workgate.users limit 1), '2026-01-01', '2026-01-01T10:00Z', '2026-01-01T11:00Z'
from workgate.tasks t
join workgate.projects p on p.id = t.project_id
where p.key = 'P' || :n and t.title = 'Written' and t.number = 21`

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
