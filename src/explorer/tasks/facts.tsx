// The fields of a task. Those without a value are left out.

import type { WorkPacket } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import { ExternalLink } from '../parts/external-link.ts'
import { formatAgo, formatDay, formatHours, formatMoment } from '../text/format.ts'
import { linkTo } from '../text/route.ts'
import { Fact } from './fact.tsx'
import { PriorityMark, priorityNames, StateMark } from './marks.tsx'
import { OwnFields } from './own-fields.tsx'
import { Tag } from './tag.tsx'
import { DueDay, linkToTask } from './task-row.tsx'

interface FactsProps {
  packet: WorkPacket
  project: string
  names: Names
}

export function Facts({ packet, project, names }: FactsProps) {
  const { task, board, stage, parent, time } = packet
  const tasksLink = (query: Record<string, string>) => linkTo(['projects', project, 'tasks'], query)
  return (
    <dl class="facts">
      {stage && (
        <Fact name="Stage">
          <a href={tasksLink({ stageId: stage.id })}>
            <bdi>{stage.name}</bdi>
          </a>
        </Fact>
      )}
      {board && (
        <Fact name="Board">
          <bdi>{board.name}</bdi> {board.archived && <span class="quiet">(archived)</span>}
        </Fact>
      )}
      {task.type !== null && (
        <Fact name="Type">
          <a href={tasksLink({ type: task.type })}>
            <bdi>{task.type}</bdi>
          </a>
        </Fact>
      )}
      <People task={task} tasksLink={tasksLink} names={names} />
      {task.priority !== 'none' && (
        <Fact name="Priority">
          <span class="with-mark">
            <PriorityMark priority={task.priority} />
            <span aria-hidden="true">{priorityNames[task.priority]}</span>
          </span>
        </Fact>
      )}
      {task.startDate !== null && <Fact name="Start">{formatDay(task.startDate)}</Fact>}
      {task.dueDate !== null && (
        <Fact name="Due">
          <DueDay task={task} />
        </Fact>
      )}
      <Time estimate={task.estimateSeconds} tracked={time.trackedSeconds} />
      {task.tags.length > 0 && (
        <Fact name="Tags">
          <span class="tags">
            {task.tags.map((tag) => (
              <Tag key={tag.id} tag={tag} />
            ))}
          </span>
        </Fact>
      )}
      <OwnFields fields={task.fields} tasksLink={tasksLink} />
      <Watchers watchers={task.watchers} />
      {parent && (
        <Fact name="Parent">
          <a class="with-mark" href={linkToTask(parent)}>
            <StateMark state={parent.state} />
            <bdi>{parent.title}</bdi>
          </a>
        </Fact>
      )}
      {task.externalUrl !== null && (
        <Fact name="Source">
          <ExternalLink url={task.externalUrl}>
            <bdi>{task.externalId ?? task.externalUrl}</bdi>
          </ExternalLink>
        </Fact>
      )}
      <Moment name="Created" at={task.createdAt} />
      <Moment name="Changed" at={task.updatedAt} />
      {task.completedAt !== null && <Moment name="Completed" at={task.completedAt} />}
      {task.cancelledAt !== null && <Moment name="Cancelled" at={task.cancelledAt} />}
    </dl>
  )
}

interface PeopleProps {
  task: WorkPacket['task']
  tasksLink(query: Record<string, string>): string
  names: Names
}

function People({ task: { assigneeIds, creatorId }, tasksLink, names }: PeopleProps) {
  return (
    <>
      <Fact name={assigneeIds.length > 1 ? 'Assignees' : 'Assignee'}>
        {assigneeIds.length === 0 && <span class="quiet">Nobody</span>}
        {assigneeIds.map((assigneeId, n) => (
          <span key={assigneeId}>
            {n > 0 && ', '}
            <a href={tasksLink({ assigneeId, state: 'open' })}>
              <bdi>{names.person(assigneeId)}</bdi>
            </a>
          </span>
        ))}
      </Fact>
      {creatorId !== null && (
        <Fact name="Creator">
          <bdi>{names.person(creatorId)}</bdi>
        </Fact>
      )}
    </>
  )
}

function Watchers({ watchers }: Pick<WorkPacket['task'], 'watchers'>) {
  if (watchers.length === 0) return null
  return (
    <Fact name="Watchers">
      {watchers.map(({ id, name }, n) => (
        <span key={id}>
          {n > 0 && ', '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </Fact>
  )
}

function Moment({ name, at }: { name: string; at: string }) {
  return (
    <Fact name={name}>
      <time dateTime={at} title={formatAgo(at)}>
        {formatMoment(at)}
      </time>
    </Fact>
  )
}

/** The tracked time against the estimate. */
function Time({ estimate, tracked }: { estimate: number | null; tracked: number }) {
  if (estimate === null && tracked === 0) return null
  return (
    <Fact name="Time">
      {formatHours(tracked)} {estimate !== null && <span class="quiet">of {formatHours(estimate)}</span>}
    </Fact>
  )
}
