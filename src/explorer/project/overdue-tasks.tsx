// The tasks that are most overdue.

import type { Page, Task } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import type { Read } from '../api/use-read.ts'
import { Panel } from '../parts/panel.tsx'
import { Assignees, TaskLine } from '../tasks/task-row.tsx'
import { count as countOf, daysBetween, formatDay, formatNumber, today } from '../text/format.ts'
import { linkTo } from '../text/route.ts'

interface OverdueTasksProps {
  read: Read<Page<Task>>
  project: string
  /** Undefined until it is known. */
  count: number | undefined
  names: Names
}

export function OverdueTasks({ read, project, count, names }: OverdueTasksProps) {
  return (
    <Panel title="Overdue" read={read} lines={5} class="half">
      {({ data, meta }) => (
        <>
          {data.length === 0 && <p class="quiet">Nothing is overdue.</p>}
          <ol class="task-lines overdue">
            {data.map((task) => (
              <OverdueTask key={task.id} task={task} names={names} />
            ))}
          </ol>
          {meta.hasMore && (
            <p>
              <span class="paper">
                The first {formatNumber(data.length)} of {count === undefined ? 'more' : formatNumber(count)} overdue
                tasks.
              </span>
              <a class="screen" href={linkTo(['projects', project, 'tasks'], { overdue: 'true', sort: 'dueDate' })}>
                All {count !== undefined && formatNumber(count)} overdue tasks
              </a>
            </p>
          )}
        </>
      )}
    </Panel>
  )
}

function OverdueTask({ task, names }: { task: Task; names: Names }) {
  const { assigneeIds, dueDate } = task
  return (
    <TaskLine task={task}>
      <span class="who">{assigneeIds.length === 0 ? 'nobody' : <Assignees ids={assigneeIds} names={names} />}</span>
      <span class="due late" title={`Due on ${formatDay(dueDate!)}`}>
        {countOf(daysBetween(dueDate!, today()), 'day', 'days')} late
      </span>
    </TaskLine>
  )
}
