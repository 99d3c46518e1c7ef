// A task with everything that is stored about it.

import type { Data, WorkPacket } from '../api/types.ts'
import { useNames } from '../api/use-names.ts'
import { useRead } from '../api/use-read.ts'
import { FormattedText } from '../parts/formatted-text.ts'
import { Panel } from '../parts/panel.tsx'
import { Comments } from './comments.tsx'
import { Documents } from './documents.tsx'
import { Files } from './files.tsx'
import { Facts } from './facts.tsx'
import { History } from './history.tsx'
import { StateMark, stateNames } from './marks.tsx'
import { PacketSource } from './packet-source.tsx'
import { Subtasks } from './subtasks.tsx'
import { TimeEntries } from './time-entries.tsx'

export function TaskView({ project, task }: { project: string; task: string }) {
  const read = useRead<Data<WorkPacket>>(pathOfTask(project, task))
  const names = useNames(project)
  const packet = read.body?.data
  if (packet === undefined)
    return (
      <>
        <h1 class="hidden">{`${project}-${task}`}</h1>
        <Panel title="Task" read={read} lines={10}>
          {() => null}
        </Panel>
      </>
    )
  // The details tell why the packet could not be read again.
  const known = { ...read, problem: undefined }
  const { entries, running } = packet.time
  return (
    <article class="task">
      <Heading packet={packet} />
      <div class="task-columns">
        {packet.task.description && (
          <Panel title="Description" read={known} class="description">
            {({ data: { task } }) => <FormattedText text={task.description ?? ''} format={task.descriptionFormat} />}
          </Panel>
        )}
        <div class="side">
          <Panel title="Details" read={read}>
            {({ data }) => <Facts packet={data} project={project} names={names} />}
          </Panel>
          {entries + running > 0 && <TimeEntries project={project} task={task} names={names} />}
          {packet.files.length > 0 && <Files project={project} task={task} />}
          {packet.documents.length > 0 && <Documents read={known} names={names} />}
        </div>
        <div class="rest">
          {packet.subtasks.total > 0 && <Subtasks read={known} names={names} />}
          <Comments project={project} task={task} names={names} />
          <History read={known} names={names} />
          <PacketSource read={known} />
        </div>
      </div>
    </article>
  )
}

const pathOfTask = (project: string, task: string) =>
  `/projects/${encodeURIComponent(project)}/tasks/${encodeURIComponent(task)}/work-packet`

function Heading({ packet: { task } }: { packet: WorkPacket }) {
  return (
    <header class="task-heading">
      <p class="quiet">
        <StateMark state={task.state} />
        <span aria-hidden="true">{stateNames[task.state]}</span>
        <span class="reference">{task.reference}</span>
      </p>
      <h1>
        <bdi>{task.title}</bdi>
      </h1>
    </header>
  )
}
