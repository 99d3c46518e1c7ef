// The hours of every week, and how many of them are billable.

import type { Data, TimeReport } from '../api/types.ts'
import type { Read } from '../api/use-read.ts'
import { Columns } from '../charts/columns.tsx'
import { Panel } from '../parts/panel.tsx'
import { addDays, count, formatHours, formatShare, weekOf } from '../text/format.ts'
import { isPartial, weekName, WeekTable } from './week-table.tsx'

export function WeekHours({ read }: { read: Read<Data<TimeReport>> }) {
  return (
    <Panel
      title="Hours by week"
      read={read}
      class="half"
      table={({ data }) => (
        <WeekTable
          weeks={weeksOf(data)}
          columns={[
            { title: 'Hours', say: ({ totalSeconds }) => formatHours(totalSeconds) },
            { title: 'Billable', say: ({ billableSeconds }) => formatHours(billableSeconds) },
          ]}
        />
      )}
    >
      {({ data }) => (data.totals.entries === 0 ? <NoHours report={data} /> : <WeekChart report={data} />)}
    </Panel>
  )
}

/** Running entries are not in the sums. */
function NoHours({ report: { running } }: { report: TimeReport }) {
  return (
    <p class="quiet">
      {running === 0
        ? 'No time was tracked in this range.'
        : `No time was tracked in this range yet: ${count(running, 'entry is', 'entries are')} running.`}
    </p>
  )
}

function WeekChart({ report }: { report: TimeReport }) {
  const { to, totals } = report
  const weeks = weeksOf(report).map((week) => ({
    start: week.start,
    isPartial: isPartial(week),
    columns: [{ parts: partsOf(week).map(([kind, seconds]) => ({ kind, value: seconds / 3_600 })) }],
    text: `${weekName(week)}: ${hoursWords(week)}`,
  }))
  return (
    <>
      <HoursSum sums={totals} />
      <Columns weeks={weeks} to={to} label={`By week. In total ${hoursWords(totals)}.`} />
    </>
  )
}

export type Sums = Pick<TimeReport['totals'], 'totalSeconds' | 'billableSeconds'>

export const partsOf = ({ totalSeconds, billableSeconds }: Sums): [kind: string, seconds: number][] => [
  ['billable', billableSeconds],
  ['unbillable', totalSeconds - billableSeconds],
]

/** The total, which also explains the colours. */
function HoursSum({ sums: { totalSeconds, billableSeconds } }: { sums: Sums }) {
  const unbillable = totalSeconds - billableSeconds
  return (
    <p>
      <strong>{formatHours(totalSeconds)}</strong>:{' '}
      {billableSeconds > 0 && (
        <>
          <span class="swatch billable" /> {formatShare(billableSeconds / totalSeconds)} billable
        </>
      )}
      {billableSeconds > 0 && unbillable > 0 && ', '}
      {unbillable > 0 && (
        <>
          <span class="swatch unbillable" /> {billableSeconds > 0 ? 'not billable' : 'none of them billable'}
        </>
      )}
    </p>
  )
}

const hoursWords = ({ totalSeconds, billableSeconds }: Sums): string =>
  `${formatHours(totalSeconds)}, ${formatHours(billableSeconds)} billable`

/** The rows name the first day of each week that is in the range. */
const weeksOf = ({ rows, to }: TimeReport) =>
  rows.map((row) => {
    const start = row.key!
    const end = addDays(weekOf(start), 7)
    return { ...row, start, end: end < to ? end : to }
  })
