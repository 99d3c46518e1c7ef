// The hours of every person.

import type { ComponentChildren } from 'preact'
import type { Data, TimeReport } from '../api/types.ts'
import type { Read } from '../api/use-read.ts'
import { BarRow } from '../charts/bar-row.tsx'
import { FigureTable } from '../parts/figure-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { count, formatHours, formatShare } from '../text/format.ts'
import { partsOf, type Sums } from './week-hours.tsx'

const maxRows = 10

export function PeopleHours({ read }: { read: Read<Data<TimeReport>> }) {
  return (
    <Panel title="Hours by person" read={read} class="half" table={({ data }) => <PeopleTable report={data} />}>
      {({ data }) => <PeopleRows report={data} />}
    </Panel>
  )
}

function PeopleRows({ report: { rows, totals } }: { report: TimeReport }) {
  const shown = rows.slice(0, maxRows)
  const rest = totals.totalSeconds - shown.reduce((sum, { totalSeconds }) => sum + totalSeconds, 0)
  const longest = Math.max(1, ...shown.map(({ totalSeconds }) => totalSeconds))
  return (
    <>
      <ol class="bar-rows">
        {shown.map((row) => (
          <BarRow
            key={row.key}
            longest={longest}
            parts={partsOf(row)}
            name={<bdi title={row.name ?? ''}>{row.name}</bdi>}
          >
            <span class="n">{formatHours(row.totalSeconds)}</span>
          </BarRow>
        ))}
      </ol>
      {rest > 0 && <p class="small quiet">Others have {formatHours(rest)}.</p>}
    </>
  )
}

function PeopleTable({ report: { rows, other, totals } }: { report: TimeReport }) {
  return (
    <FigureTable texts={['Person']} numbers={['Hours', 'Billable', 'Of all']}>
      {rows.map((row) => (
        <HoursCells key={row.key} sums={row} all={totals} name={<bdi>{row.name}</bdi>} />
      ))}
      {other.rows > 0 && <HoursCells sums={other} all={totals} name={count(other.rows, 'other', 'others')} />}
    </FigureTable>
  )
}

interface HoursCellsProps {
  sums: Sums
  all: Sums
  name: ComponentChildren
}

function HoursCells({ sums: { totalSeconds, billableSeconds }, all, name }: HoursCellsProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="n">{formatHours(totalSeconds)}</td>
      <td class="n">{formatHours(billableSeconds)}</td>
      <td class="n">{formatShare(totalSeconds / Math.max(1, all.totalSeconds))}</td>
    </tr>
  )
}
