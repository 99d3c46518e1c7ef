// The state of a project in sentences: the tasks that are done, the forecast for the rest, and the due date.

import type { Overview, Progress, Project } from '../api/types.ts'
import { count, daysBetween, formatLongDay, formatNumber, today } from '../text/format.ts'
import { linkTo } from '../text/route.ts'
import { lateness, neededPace, prospectOf, verdictOf, weeklyPace } from './forecast-words.ts'

interface OutlookProps {
  project: Project
  overview: Overview
  progress: Progress | undefined
  /** The types that progress leaves out. */
  leftOut: string[]
}

export function Outlook({ project, overview, progress, leftOut }: OutlookProps) {
  const { open, total } = overview.tasks
  const isExpected = open > 0 && project.status === 'active'
  if (total === 0) return <p class="outlook">This project has no tasks yet.</p>
  return (
    <p class="outlook">
      <Counts project={project} tasks={overview.tasks} />
      {isExpected && progress && <> {prospectOf(progress, leftOut)}</>}
      {project.dueDate !== null && (
        <>
          {' '}
          <Due dueDate={project.dueDate} isExpected={isExpected} progress={progress} />
        </>
      )}
    </p>
  )
}

function Counts({ project: { key }, tasks }: { project: Project; tasks: Overview['tasks'] }) {
  const { open, completed, cancelled, overdue } = tasks
  const tasksLink = (query: Record<string, string>) => linkTo(['projects', key, 'tasks'], query)
  const doneLink = tasksLink({ state: 'completed', sort: '-completedAt' })
  if (open + completed === 0)
    return (
      <a href={tasksLink({ state: 'cancelled' })}>
        {cancelled === 1 ? 'The only task is' : 'All tasks are'} cancelled.
      </a>
    )
  if (open === 0)
    return (
      <>
        Everything is done: <a href={doneLink}>{count(completed, 'task', 'tasks')}</a>.
      </>
    )
  return (
    <>
      <a href={doneLink}>
        {formatNumber(completed)} of {formatNumber(open + completed)} done
      </a>
      , <a href={tasksLink({ state: 'open' })}>{formatNumber(open)} open</a>
      {overdue > 0 && (
        <>
          ,{' '}
          <span class="late">
            <a href={tasksLink({ overdue: 'true', sort: 'dueDate' })}>{formatNumber(overdue)} overdue</a>
          </span>
        </>
      )}
      .
    </>
  )
}

interface DueProps {
  dueDate: string
  /** False if nothing is open, or if nobody works on it any more. */
  isExpected: boolean
  progress: Progress | undefined
}

function Due({ dueDate, isExpected, progress }: DueProps) {
  const day = formatLongDay(dueDate)
  const late = daysBetween(dueDate, today())
  if (!isExpected)
    return (
      <>
        It {late > 0 ? 'was' : 'is'} due on {day}.
      </>
    )
  if (late > 0)
    return (
      <strong class="late">
        It was due on {day}, {count(late, 'day', 'days')} ago.
      </strong>
    )
  const verdict = progress && verdictOf(progress, dueDate)
  const forecast = progress?.forecast
  if (!forecast)
    return verdict === 'probably late' ? (
      <strong class="late">It is due on {day}, so it will probably be very late.</strong>
    ) : (
      <>It is due on {day}.</>
    )
  const { p50Date, p85Date } = forecast
  const [soonest, latest] = [daysBetween(dueDate, p50Date), p85Date === null ? Infinity : daysBetween(dueDate, p85Date)]
  if (verdict === 'on time')
    return (
      <>
        It is due on {day}, {latest === 0 ? 'the last of these days' : `with ${count(-latest, 'day', 'days')} to spare`}
        .
      </>
    )
  return (
    <>
      <strong class="late">
        It is due on {day}, and {verdict === 'probably late' ? 'will probably' : 'may'} be {lateness(soonest, latest)}.
      </strong>{' '}
      {neededPace({ remaining: forecast.remaining, pace: weeklyPace(progress), measure: progress.measure }, dueDate)}
    </>
  )
}
