// The pace: the time that tasks take, and the number that are completed per week.

import type { Data, Progress } from '../api/types.ts'
import type { Read } from '../api/use-read.ts'
import { Panel } from '../parts/panel.tsx'
import { count, formatDuration, formatRate, formatShare } from '../text/format.ts'
import { fieldTitle } from '../text/own-fields.ts'
import { completedLink } from './flow.tsx'

interface LeadTimeProps {
  read: Read<Data<Progress>>
  project: string
  types: string | undefined
}

export function LeadTime({ read, project, types }: LeadTimeProps) {
  return (
    <Panel title="Pace" read={read} class="lead-time">
      {({ data: { leadTime, throughputPerWeek, from, to, timezone, measure } }) => {
        const { p50Seconds, p85Seconds } = leadTime
        if (p50Seconds === null || p85Seconds === null) return <p class="quiet">Nothing was completed in this range.</p>
        return (
          <>
            <dl class="figures">
              <div>
                <dt>{measure === null ? 'Completed' : fieldTitle(measure)} per week</dt>
                <dd>{formatRate(throughputPerWeek ?? 0)}</dd>
              </div>
              <div>
                <dt>Half were done within</dt>
                <dd>{formatDuration(p50Seconds)}</dd>
              </div>
              <div>
                <dt>{formatShare(0.85)} were done within</dt>
                <dd>{formatDuration(p85Seconds)}</dd>
              </div>
            </dl>
            <p class="small quiet">
              From creation to completion, for{' '}
              <a href={completedLink(project, { start: from, end: to }, timezone, types)}>
                {count(leadTime.count, 'task', 'tasks')}
              </a>{' '}
              completed in this range
            </p>
          </>
        )
      }}
    </Panel>
  )
}
