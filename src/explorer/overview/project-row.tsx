// A row of the table of projects. What needs a request of its own is read when the row can be seen.

import type { Ref } from 'preact'
import type { Data, Progress, ProjectSummary, TimeReport } from '../api/types.ts'
import { useRead } from '../api/use-read.ts'
import { Sparkline } from '../charts/sparkline.tsx'
import { useSeen } from '../parts/use-seen.ts'
import {
  addDays,
  formatAgo,
  formatDay,
  formatHours,
  formatMoment,
  formatNumber,
  formatProgress,
  today,
  weekOf,
} from '../text/format.ts'
import { linkTo, withQuery } from '../text/route.ts'

export function ProjectRow({ project }: { project: ProjectSummary }) {
  const [row, isSeen] = useSeen<HTMLTableRowElement>()
  return isSeen ? <SeenRow project={project} /> : <Row project={project} row={row} />
}

function SeenRow({ project }: { project: ProjectSummary }) {
  const path = `/projects/${project.key}/analytics`
  const day = today()
  const from = addDays(weekOf(day), -49)
  const progress = useRead<Data<Progress>>(withQuery(`${path}/progress`, { interval: 'week', from }))
  const time = useRead<Data<TimeReport>>(withQuery(`${path}/time`, { groupBy: 'month', from: `${day.slice(0, 8)}01` }))
  return <Row project={project} progress={progress.body?.data} time={time.body?.data} />
}

interface RowProps {
  project: ProjectSummary
  row?: Ref<HTMLTableRowElement>
  progress?: Progress | undefined
  time?: TimeReport | undefined
}

function Row({ project, row = null, progress, time }: RowProps) {
  const { key, name, tasks, lastActivityAt } = project
  const tasksLink = (query: Record<string, string>) => linkTo(['projects', key, 'tasks'], query)
  return (
    <tr ref={row}>
      <th scope="row">
        <a href={linkTo(['projects', key])}>
          <bdi>{name}</bdi>
        </a>
        <span class="small quiet">
          {key}
          {project.status !== 'active' && ` · ${project.status}`}
          <Due project={project} progress={progress} />
        </span>
      </th>
      <td class="progress-cell">
        <Bar ratio={project.progress} />
      </td>
      <td class="n" data-label="open">
        <a href={tasksLink({ state: 'open' })}>{formatNumber(tasks.open)}</a>
      </td>
      <td class="n" data-label="done">
        <a href={tasksLink({ state: 'completed' })}>{formatNumber(tasks.completed)}</a>
      </td>
      <td class={`n ${tasks.overdue > 0 ? 'late' : 'none'}`} data-label="overdue">
        <a href={tasksLink({ overdue: 'true', sort: 'dueDate' })}>{formatNumber(tasks.overdue)}</a>
      </td>
      <td class="n wide hours" data-label="this month">
        {time && formatHours(time.totals.totalSeconds)}
      </td>
      <td class="wide trend">{progress && <Sparkline values={progress.series.map(({ completed }) => completed)} />}</td>
      <td class="wide">
        <time dateTime={lastActivityAt} title={formatMoment(lastActivityAt)}>
          {formatAgo(lastActivityAt)}
        </time>
      </td>
    </tr>
  )
}

/** The due date, and whether it holds at the pace of the last weeks. */
function Due({ project: { dueDate, status, tasks }, progress }: Pick<RowProps, 'project' | 'progress'>) {
  if (dueDate === null) return null
  const day = formatDay(dueDate)
  if (status !== 'active' || tasks.open === 0) return <> · was due {day}</>
  if (dueDate < today()) return <span class="late"> · was due {day}</span>
  const forecast = progress?.forecast
  const isLate = forecast && (forecast.p85Date === null || forecast.p85Date > dueDate)
  return isLate ? (
    <span class="late">
      {' '}
      · due {day}, {forecast.p50Date > dueDate ? 'probably late' : 'may be late'}
    </span>
  ) : (
    <> · due {day}</>
  )
}

/** `ratio` is null if there is nothing to do. */
function Bar({ ratio }: { ratio: number | null }) {
  if (ratio === null) return <span class="quiet">–</span>
  return (
    <span class={`bar ${ratio === 1 ? 'full' : ''}`}>
      <span class="track" aria-hidden="true">
        <span style={{ inlineSize: `${ratio * 100}%` }} />
      </span>
      {formatProgress(ratio)}
    </span>
  )
}
