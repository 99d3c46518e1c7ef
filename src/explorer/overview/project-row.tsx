// A row of the table of projects. What needs a request of its own is read when the row can be seen.

import type { Ref } from 'preact'
import { useContext } from 'preact/hooks'
import type { Data, Progress, ProjectSummary, TimeReport } from '../api/types.ts'
import { useRead } from '../api/use-read.ts'
import { Sparkline } from '../charts/sparkline.tsx'
import { useSeen } from '../parts/use-seen.ts'
import { WantedRows } from '../print/use-print.ts'
import { formatAgo, formatDay, formatHours, formatMoment, formatNumber, formatProgress, today } from '../text/format.ts'
import { verdictOf } from '../project/forecast-words.ts'
import { rangeOf } from '../project/range.ts'
import { linkTo, withQuery } from '../text/route.ts'

export function ProjectRow({ project }: { project: ProjectSummary }) {
  const [row, isSeen] = useSeen<HTMLTableRowElement>('200px', useContext(WantedRows) > 0)
  return isSeen ? <SeenRow project={project} /> : <Row project={project} row={row} />
}

function SeenRow({ project }: { project: ProjectSummary }) {
  const path = `/projects/${project.key}/analytics`
  // The range of its page, so that both show the same forecast.
  const { from, to, timezone } = rangeOf(new URLSearchParams())
  const progress = useRead<Data<Progress>>(withQuery(`${path}/progress`, { from, to, interval: 'week', timezone }))
  const time = useRead<Data<TimeReport>>(
    withQuery(`${path}/time`, { groupBy: 'month', from: `${today().slice(0, 8)}01` }),
  )
  const isFailed = progress.problem !== undefined
  return (
    <Row
      project={project}
      progress={progress.body?.data}
      isFailed={isFailed}
      time={time.body?.data}
      isBusy={[progress, time].some(({ body, problem }) => body === undefined && problem === undefined)}
    />
  )
}

interface RowProps {
  project: ProjectSummary
  row?: Ref<HTMLTableRowElement>
  progress?: Progress | undefined
  /** True if the progress could not be read. */
  isFailed?: boolean
  time?: TimeReport | undefined
  isBusy?: boolean
}

function Row({ project, row = null, progress, isFailed = false, time, isBusy = false }: RowProps) {
  const { key, name, tasks, lastActivityAt } = project
  const tasksLink = (query: Record<string, string>) => linkTo(['projects', key, 'tasks'], query)
  return (
    <tr ref={row} aria-busy={isBusy || undefined}>
      <th scope="row">
        <a href={linkTo(['projects', key])}>
          <bdi>{name}</bdi>
        </a>
        <span class="small quiet">
          {key}
          {project.status !== 'active' && ` · ${project.status}`}
          <Due project={project} progress={progress} isFailed={isFailed} />
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
      <td class="wide trend">
        {progress && <Sparkline values={progress.series.slice(-8).map(({ completed }) => completed)} />}
      </td>
      <td class="wide">
        <time dateTime={lastActivityAt} title={formatMoment(lastActivityAt)}>
          {formatAgo(lastActivityAt)}
        </time>
      </td>
    </tr>
  )
}

/** The due date, and whether it holds at the present pace. */
function Due({
  project: { dueDate, status, tasks },
  progress,
  isFailed,
}: Pick<RowProps, 'project' | 'progress' | 'isFailed'>) {
  if (dueDate === null) return null
  const day = formatDay(dueDate)
  const isOver = dueDate < today()
  if (status !== 'active' || tasks.open === 0)
    return (
      <>
        {' '}
        · {isOver ? 'was due' : 'due'} {day}
      </>
    )
  if (isOver) return <span class="late"> · was due {day}</span>
  const verdict = progress && verdictOf(progress, dueDate)
  return (
    <span class={verdict?.endsWith('late') ? 'late' : ''}>
      {' '}
      · due {day}
      {progress === undefined && <span class={isFailed ? '' : 'paper'}>, forecast not loaded</span>}
      {verdict !== undefined && verdict !== 'on time' && `, ${verdict}`}
    </span>
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
