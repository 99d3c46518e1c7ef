// The subtasks of a task.

import type { Data, WorkPacket } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import type { Read } from '../api/use-read.ts'
import { Panel } from '../parts/panel.tsx'
import { formatNumber } from '../text/format.ts'
import { linkTo } from '../text/route.ts'
import { projectOf, TaskLine } from './task-row.tsx'

export function Subtasks({ read, names }: { read: Read<Data<WorkPacket>>; names: Names }) {
  return (
    <Panel title="Subtasks" read={read}>
      {({ data: { subtasks, task } }) => (
        <>
          <p class="small quiet">
            {formatNumber(subtasks.completed)} of {formatNumber(subtasks.total)} completed
          </p>
          <ol class="task-lines short">
            {subtasks.items.map((subtask) => (
              <TaskLine key={subtask.id} task={subtask}>
                <span class="who">{subtask.assigneeId !== null && <bdi>{names.person(subtask.assigneeId)}</bdi>}</span>
              </TaskLine>
            ))}
          </ol>
          {subtasks.truncated && (
            <p class="paper">
              The first {formatNumber(subtasks.items.length)} of {formatNumber(subtasks.total)} subtasks.
            </p>
          )}
          {subtasks.truncated && (
            <a
              class="screen"
              href={linkTo(['projects', projectOf(task.reference), 'tasks'], { parentId: task.reference })}
            >
              All subtasks
            </a>
          )}
        </>
      )}
    </Panel>
  )
}
