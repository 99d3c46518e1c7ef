// The numbers of a chart by week, the last week first.

import type { ComponentChildren } from 'preact'
import { FigureTable } from '../parts/figure-table.tsx'
import { addDays, daysBetween, formatDays } from '../text/format.ts'

/** The end is not included. */
interface Interval {
  start: string
  end: string
}

export const isPartial = ({ start, end }: Interval): boolean => daysBetween(start, end) < 7

export const weekName = (week: Interval): string =>
  formatDays(week.start, addDays(week.end, -1)) + (isPartial(week) ? ', so far' : '')

interface Column<Week> {
  title: string
  say(week: Week): ComponentChildren
}

interface WeekTableProps<Week> {
  weeks: Week[]
  columns: Column<Week>[]
}

export function WeekTable<Week extends Interval>({ weeks, columns }: WeekTableProps<Week>) {
  return (
    <FigureTable texts={['Days']} numbers={columns.map(({ title }) => title)}>
      {weeks.toReversed().map((week) => (
        <tr key={week.start}>
          <th scope="row">{weekName(week)}</th>
          {columns.map(({ title, say }) => (
            <td key={title} class="n">
              {say(week)}
            </td>
          ))}
        </tr>
      ))}
    </FigureTable>
  )
}
