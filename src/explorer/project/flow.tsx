// Created against completed tasks by week: why the number of open tasks grows or falls.

import type { Data, Progress } from '../api/types.ts'
import type { Read } from '../api/use-read.ts'
import { Columns } from '../charts/columns.tsx'
import { Panel } from '../parts/panel.tsx'
import { count, formatNumber } from '../text/format.ts'
import { linkTo } from '../text/route.ts'
import { startOfDay } from '../text/zones.ts'
import { isPartial, weekName, WeekTable } from './week-table.tsx'

type Interval = Progress['series'][number]

type Days = Pick<Interval, 'start' | 'end'>

export function Flow({ read, project }: { read: Read<Data<Progress>>; project: string }) {
  return (
    <Panel
      title="Created and completed"
      read={read}
      class="half"
      table={({ data: { series, timezone } }) => (
        <WeekTable
          weeks={series}
          columns={[
            {
              title: 'Created',
              say: (week) => <a href={createdLink(project, week, timezone)}>{formatNumber(week.created)}</a>,
            },
            {
              title: 'Completed',
              say: (week) => <a href={completedLink(project, week, timezone)}>{formatNumber(week.completed)}</a>,
            },
            { title: 'Cancelled', say: ({ cancelled }) => formatNumber(cancelled) },
            { title: 'Reopened', say: ({ reopened }) => formatNumber(reopened) },
          ]}
        />
      )}
    >
      {({ data }) => <FlowChart progress={data} project={project} />}
    </Panel>
  )
}

function FlowChart({ progress: { series, timezone, to }, project }: { progress: Progress; project: string }) {
  const sum = (field: 'created' | 'completed' | 'cancelled') => series.reduce((sum, week) => sum + week[field], 0)
  const [created, completed, cancelled] = [sum('created'), sum('completed'), sum('cancelled')]
  if (created + completed + cancelled === 0) return <p class="quiet">Nothing was created or completed in this range.</p>
  const weeks = series.map((week) => {
    const days = weekName(week)
    const column = (kind: 'created' | 'completed', href: string) => ({
      parts: [{ kind, value: week[kind] }],
      link: { href, text: `${days}: ${formatNumber(week[kind])} ${kind}` },
    })
    return {
      start: week.start,
      isPartial: isPartial(week),
      columns: [
        column('created', createdLink(project, week, timezone)),
        column('completed', completedLink(project, week, timezone)),
      ],
      text: `${days}: ${flowWords(week)}`,
    }
  })
  const sums = { created, completed, cancelled }
  return (
    <>
      <p>
        <span class="swatch created" /> {formatNumber(created)} created, <span class="swatch completed" />{' '}
        {formatNumber(completed)} completed
        {cancelled > 0 && `, ${formatNumber(cancelled)} cancelled`}:{' '}
        <strong>{changeOf(created - completed - cancelled)}</strong>
      </p>
      <Columns weeks={weeks} to={to} label={`By week. In total ${flowWords(sums)}.`} />
    </>
  )
}

const flowWords = ({ created, completed, cancelled }: Pick<Interval, 'created' | 'completed' | 'cancelled'>): string =>
  `${formatNumber(created)} created, ${formatNumber(completed)} completed` +
  (cancelled > 0 ? `, ${formatNumber(cancelled)} cancelled` : '')

function changeOf(growth: number): string {
  if (growth === 0) return 'as many open tasks as before.'
  return growth > 0
    ? `${count(growth, 'more open task', 'more open tasks')}.`
    : `${count(-growth, 'fewer open task', 'fewer open tasks')}.`
}

const createdLink = (project: string, { start, end }: Days, timezone: string): string =>
  linkTo(['projects', project, 'tasks'], {
    createdAfter: startOfDay(start, timezone),
    createdBefore: startOfDay(end, timezone),
  })

export const completedLink = (project: string, { start, end }: Days, timezone: string): string =>
  linkTo(['projects', project, 'tasks'], {
    completedAfter: startOfDay(start, timezone),
    completedBefore: startOfDay(end, timezone),
    sort: '-completedAt',
  })
