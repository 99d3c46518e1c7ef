// The burn-up: the tasks in scope and those done over time, and the forecast.

import type { Data, Progress } from '../api/types.ts'
import type { Read } from '../api/use-read.ts'
import { BurnUpChart } from '../charts/burn-up-chart.tsx'
import { Panel } from '../parts/panel.tsx'
import { formatLongDay, formatNumber, formatShare } from '../text/format.ts'
import { amountOf, exactSum } from '../text/own-fields.ts'
import { WeekTable } from './week-table.tsx'

export function BurnUp({ read, dueDate }: { read: Read<Data<Progress>>; dueDate: string | null }) {
  return (
    <Panel
      title="Scope and done"
      read={read}
      lines={9}
      class="burn-up"
      table={({ data }) => (
        <WeekTable
          weeks={data.series}
          columns={[
            { title: 'In scope', say: ({ scope }) => formatNumber(scope) },
            { title: 'Done', say: ({ done }) => formatNumber(done) },
            { title: 'Open', say: ({ remaining }) => formatNumber(remaining) },
          ]}
        />
      )}
    >
      {({ data }) => (
        <>
          <BurnUpChart progress={data} dueDate={dueDate} label={labelOf(data)} />
          {data.forecast && <p class="small quiet">{explain(data.forecast)}</p>}
        </>
      )}
    </Panel>
  )
}

function labelOf({ from, series, forecast, measure }: Progress): string {
  const { scope, done } = series.at(-1)!
  const { done: first, completed } = series[0]!
  const past = `Since ${formatLongDay(from)}, done has changed from ${formatNumber(exactSum([first, -completed]))} to ${formatNumber(done)}.`
  const present = `In scope: ${amountOf(scope, measure)}.`
  return forecast ? `${past} ${present} ${explain(forecast)}` : `${past} ${present}`
}

function explain({ p50Date, p85Date }: NonNullable<Progress['forecast']>): string {
  const most =
    p85Date === null
      ? ', but many take more than three years'
      : ` and ${formatShare(0.85)} by ${formatLongDay(p85Date)}`
  return (
    `The forecast repeats the days of this range, from the first task on, in random order: half of 1,000 trials are done by` +
    ` ${formatLongDay(p50Date)}${most}. It expects no new tasks.`
  )
}
