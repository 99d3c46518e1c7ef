// A row of the table of projects. What needs a request of its own is read when the row can be seen.

import type { Data, Progress, ProjectSummary, TimeReport } from '../api/types.ts'
import { useRead } from '../api/use-read.ts'
import { Sparkline } from '../charts/sparkline.tsx'
import { useSeen } from '../parts/use-seen.ts'
import {
  addDays,
  formatAgo,
  formatHours,
  formatMoment,
  formatNumber,
  formatProgress,
  today,
  weekOf,
} from '../text/format.ts'
import { linkTo, withQuery } from '../text/route.ts'

export function ProjectRow({ project }: { project: ProjectSummary }) {
  const { key, name, status, tasks, progress, lastActivityAt } = project
  const [row, isSeen] = useSeen<HTMLTableRowElement>()
  const tasksLink = (query: Record<string, string>) => linkTo(['projects', key, 'tasks'], query)
  return (
    <tr ref={row}>
      <th scope="row">
        <a href={linkTo(['projects', key])}>
          <bdi>{name}</bdi>
        </a>
        <span class="small quiet">
          {key}
          {status !== 'active' && ` · ${status}`}
        </span>
      </th>
      <td class="progress-cell">
        <Bar ratio={progress} />
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
      {isSeen ? <Recent project={key} /> : <td class="n wide" colSpan={2} />}
      <td class="wide">
        <time dateTime={lastActivityAt} title={formatMoment(lastActivityAt)}>
          {formatAgo(lastActivityAt)}
        </time>
      </td>
    </tr>
  )
}

function Recent({ project }: { project: string }) {
  const day = today()
  const from = addDays(weekOf(day), -49)
  const progress = useRead<Data<Progress>>(
    withQuery(`/projects/${project}/analytics/progress`, { interval: 'week', from }),
  )
  const time = useRead<Data<TimeReport>>(
    withQuery(`/projects/${project}/analytics/time`, { groupBy: 'month', from: `${day.slice(0, 8)}01` }),
  )
  const seconds = time.body?.data.totals.totalSeconds
  return (
    <>
      <td class="n wide">{seconds !== undefined && formatHours(seconds)}</td>
      <td class="wide">
        {progress.body && <Sparkline values={progress.body.data.series.map(({ completed }) => completed)} />}
      </td>
    </>
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
