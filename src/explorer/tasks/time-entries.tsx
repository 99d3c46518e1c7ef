// The time that was spent on a task.

import type { TimeEntry } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import { useAll } from '../api/use-read.ts'
import { Panel } from '../parts/panel.tsx'
import { formatAgo, formatDay, formatHours, formatMoment, formatNumber } from '../text/format.ts'
import { withQuery } from '../text/route.ts'

interface TimeEntriesProps {
  project: string
  task: string
  names: Names
}

export function TimeEntries({ project, task, names }: TimeEntriesProps) {
  const path = `/projects/${encodeURIComponent(project)}/time-entries`
  const read = useAll<TimeEntry>(withQuery(path, { taskId: task, limit: 200 }))
  return (
    <Panel title="Time entries" read={read}>
      {({ data, meta }) => (
        <>
          <ol class="entries">
            {data.map((entry) => (
              <Entry key={entry.id} entry={entry} names={names} />
            ))}
          </ol>
          {meta.hasMore && <p class="small quiet">These are the last {formatNumber(data.length)}.</p>}
        </>
      )}
    </Panel>
  )
}

function Entry({ entry, names }: { entry: TimeEntry; names: Names }) {
  const { userId, description, spentOn, startedAt, durationSeconds, timed, billable } = entry
  return (
    <li>
      <span>
        <bdi>{names.person(userId)}</bdi>
        {description && (
          <span class="small quiet" dir="auto">
            {description}
          </span>
        )}
      </span>
      <span class="figure">
        {durationSeconds === null ? 'running' : formatHours(durationSeconds)}
        <span class="small quiet" title={timed ? formatMoment(startedAt) : undefined}>
          {durationSeconds === null ? formatAgo(startedAt) : formatDay(spentOn)}
          {!billable && ' · not billable'}
        </span>
      </span>
    </li>
  )
}
