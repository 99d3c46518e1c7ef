// A row of a list of tasks.

import type { ComponentChildren } from 'preact'
import type { Task } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import { formatDay, today } from '../text/format.ts'
import { linkTo } from '../text/route.ts'
import { PriorityMark, StateMark } from './marks.tsx'
import { Tag } from './tag.tsx'

export const projectOf = (reference: string): string => reference.slice(0, reference.lastIndexOf('-'))

export const linkToTask = ({ reference, number }: Pick<Task, 'reference' | 'number'>): string =>
  linkTo(['projects', projectOf(reference), 'tasks', number])

/** The first assignee, and how many others there are. */
export function Assignees({ ids, names }: { ids: readonly string[]; names: Names }) {
  const [first, ...others] = ids
  if (first === undefined) return null
  return (
    <span title={ids.map(names.person).join(', ')}>
      <bdi>{names.person(first)}</bdi>
      {others.length > 0 && <span>+{others.length}</span>}
    </span>
  )
}

interface TaskRowProps {
  task: Task
  names: Names
  /** The project is shown instead of the assignee. */
  isAcrossProjects: boolean
}

export function TaskRow({ task, names, isAcrossProjects }: TaskRowProps) {
  const { priority, tags, assigneeIds } = task
  return (
    <TaskLine task={task}>
      <span class="tags">
        {tags?.map((tag) => (
          <Tag key={tag.id} tag={tag} />
        ))}
      </span>
      <PriorityMark priority={priority} />
      <span class="due">
        <DueDay task={task} />
      </span>
      <span class="who">
        {isAcrossProjects ? <ProjectLink task={task} names={names} /> : <Assignees ids={assigneeIds} names={names} />}
      </span>
    </TaskLine>
  )
}

interface TaskLineProps {
  task: Pick<Task, 'number' | 'reference' | 'title' | 'state'>
  children?: ComponentChildren
}

/** The link fills the row. */
export function TaskLine({ task, children }: TaskLineProps) {
  const { reference, title, state } = task
  return (
    <li class={`task-line ${state}`}>
      <StateMark state={state} />
      <span class="reference">{reference}</span>
      <a class="title" href={linkToTask(task)} title={title}>
        <bdi>{title}</bdi>
      </a>
      {children}
    </li>
  )
}

/** Red only if the task is open and was due before today in UTC. */
export function DueDay({ task: { state, dueDate } }: { task: Pick<Task, 'state' | 'dueDate'> }) {
  if (dueDate === null) return null
  const isLate = state === 'open' && dueDate < today()
  return (
    <span class={isLate ? 'late' : ''}>
      {isLate && 'was due '}
      <time dateTime={dueDate}>{formatDay(dueDate)}</time>
    </span>
  )
}

function ProjectLink({ task: { projectId, reference }, names }: { task: Task; names: Names }) {
  const key = projectOf(reference)
  const name = names.projects.find(({ id }) => id === projectId)?.name ?? key
  return (
    <a href={linkTo(['projects', key])} title={name}>
      <bdi>{name}</bdi>
    </a>
  )
}
