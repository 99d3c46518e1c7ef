// Created against completed tasks by week: why the number of open tasks grows or falls.

import type { Data, Progress } from '../api/types.ts'
import type { Read } from '../api/use-read.ts'
import { Columns } from '../charts/columns.tsx'
import { Panel } from '../parts/panel.tsx'
import { count, formatNumber } from '../text/format.ts'
import { exactSum, unitOf } from '../text/own-fields.ts'
import { linkTo } from '../text/route.ts'
import { startOfDay } from '../text/zones.ts'
import { isPartial, weekName, WeekTable } from './week-table.tsx'

type Interval = Progress['series'][number]

type Days = Pick<Interval, 'start' | 'end'>

interface FlowProps {
  read: Read<Data<Progress>>
  project: string
  /** The types that count. Undefined if all do. */
  types: string | undefined
}

export function Flow({ read, project, types }: FlowProps) {
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
              say: (week) => <a href={createdLink(project, week, timezone, types)}>{formatNumber(week.created)}</a>,
            },
            {
              title: 'Completed',
              say: (week) => <a href={completedLink(project, week, timezone, types)}>{formatNumber(week.completed)}</a>,
            },
            { title: 'Cancelled', say: ({ cancelled }) => formatNumber(cancelled) },
            { title: 'Reopened', say: ({ reopened }) => formatNumber(reopened) },
          ]}
        />
      )}
    >
      {({ data }) => <FlowChart progress={data} project={project} types={types} />}
    </Panel>
  )
}

interface FlowChartProps extends Omit<FlowProps, 'read'> {
  progress: Progress
}

function FlowChart({ progress: { series, timezone, to, measure }, project, types }: FlowChartProps) {
  const sum = (field: 'created' | 'completed' | 'cancelled') => exactSum(series.map((week) => week[field]))
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
        column('created', createdLink(project, week, timezone, types)),
        column('completed', completedLink(project, week, timezone, types)),
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
        <strong>{changeOf(exactSum([created, -completed, -cancelled]), unitOf(measure))}</strong>
      </p>
      <Columns weeks={weeks} to={to} label={`By week. In total ${flowWords(sums)}.`} />
    </>
  )
}

const flowWords = ({ created, completed, cancelled }: Pick<Interval, 'created' | 'completed' | 'cancelled'>): string =>
  `${formatNumber(created)} created, ${formatNumber(completed)} completed` +
  (cancelled > 0 ? `, ${formatNumber(cancelled)} cancelled` : '')

function changeOf(growth: number, [one, many]: [string, string]): string {
  if (growth === 0) return `as many open ${many} as before.`
  return growth > 0
    ? `${count(growth, `more open ${one}`, `more open ${many}`)}.`
    : `${count(-growth, `fewer open ${one}`, `fewer open ${many}`)}.`
}

const createdLink = (project: string, { start, end }: Days, timezone: string, type: string | undefined): string =>
  linkTo(['projects', project, 'tasks'], {
    type,
    createdAfter: startOfDay(start, timezone),
    createdBefore: startOfDay(end, timezone),
  })

export const completedLink = (
  project: string,
  { start, end }: Days,
  timezone: string,
  type: string | undefined,
): string =>
  linkTo(['projects', project, 'tasks'], {
    type,
    completedAfter: startOfDay(start, timezone),
    completedBefore: startOfDay(end, timezone),
    sort: '-completedAt',
  })
