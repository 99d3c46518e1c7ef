// Computes what overview and summary must return, from all rows: simple, slow, and without any code of the service.

import { addDays } from './oracle-days.ts'
import { dayOf, groupBy, ratio, sum, type Entry, type Project, type Row, type Task } from './oracle-rows.ts'

const states = ['open', 'completed', 'cancelled'] as const
export const priorities = ['none', 'low', 'medium', 'high', 'urgent']
const maxAssignees = 50

export const tally = (tasks: Task[]) => ({
  total: tasks.length,
  ...Object.fromEntries(states.map((state) => [state, tasks.filter((task) => task.state === state).length])),
})

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const byPosition = (a: Row, b: Row) => a['position'] - b['position'] || byText(a['id'], b['id'])

export const secondsOf = (entries: Entry[]) => sum(entries.map(({ seconds }) => seconds ?? 0))

export const timeOf = (entries: Entry[]) => ({
  totalSeconds: secondsOf(entries),
  billableSeconds: secondsOf(entries.filter(({ billable }) => billable)),
})

const isOverdue = (today: string) => (task: Task) =>
  task.state === 'open' && task.dueDate !== null && task.dueDate < today

function progressOf(tasks: Task[]) {
  const countOf = (state: Task['state']) => tasks.filter((task) => task.state === state).length
  return ratio(countOf('completed'), countOf('open') + countOf('completed'))
}

export function overviewOf(project: Project, today: string) {
  const { tasks, entries } = project
  const estimated = new Set(tasks.filter(({ estimate }) => estimate !== null).map(({ id }) => id))
  const midnight = (days: number) => Date.parse(addDays(today, days))
  const ofLastDays = (moment: number | null) => moment !== null && moment >= midnight(-6) && moment < midnight(1)
  return {
    tasks: {
      ...tally(tasks),
      overdue: tasks.filter(isOverdue(today)).length,
      unassigned: tasks.filter(({ assigneeIds }) => assigneeIds.length === 0).length,
    },
    progress: progressOf(tasks),
    byStage: byStage(project),
    byPriority: priorities.map((priority) => ({
      priority,
      ...tally(tasks.filter((task) => task.priority === priority)),
    })),
    byAssignee: byAssignee(project, today),
    byType: byType(tasks),
    counts: project.counts,
    time: {
      ...timeOf(entries),
      estimateSeconds: sum(tasks.map(({ estimate }) => estimate ?? 0)),
      estimatedTaskSeconds: secondsOf(entries.filter(({ taskId }) => taskId !== null && estimated.has(taskId))),
    },
    createdLast7Days: tasks.filter(({ created }) => ofLastDays(created)).length,
    completedLast7Days: tasks.filter(({ completed }) => ofLastDays(completed)).length,
    lastActivityAt: project.lastActivityAt,
  }
}

function byStage({ tasks, stages, boards }: Project) {
  const tasksOf = groupBy(tasks, ({ stageId }) => stageId)
  const rows = boards.toSorted(byPosition).flatMap((board) =>
    stages
      .filter((stage) => stage['board_id'] === board['id'])
      .toSorted(byPosition)
      .map(({ id, board_id, name, category }) => ({
        stageId: id,
        boardId: board_id,
        name,
        category,
        ...tally(tasksOf.get(id) ?? []),
      })),
  )
  const nowhere = tasksOf.get(null)
  if (!nowhere) return rows
  return [...rows, { stageId: null, boardId: null, name: null, category: null, ...tally(nowhere) }]
}

function byAssignee({ tasks, nameOfUser }: Project, today: string) {
  const counts = (theirs: Task[]) => ({ ...tally(theirs), overdue: theirs.filter(isOverdue(today)).length })
  // A task counts for each of its assignees.
  const pairs = tasks.flatMap((task) =>
    (task.assigneeIds.length > 0 ? task.assigneeIds : [null]).map((assigneeId) => ({ assigneeId, task })),
  )
  const groups = [...groupBy(pairs, ({ assigneeId }) => assigneeId)]
    .map(([id, theirs]) => [id, theirs.map(({ task }) => task)] as const)
    .sort(
      // 'z' sorts after all hex digits: among equal counts, unassigned tasks come last.
      ([a, { length }], [b, other]) => other.length - length || byText(a ?? 'z', b ?? 'z'),
    )
  const rest = groups.slice(maxAssignees)
  return {
    items: groups.slice(0, maxAssignees).map(([assigneeId, theirs]) => ({
      assigneeId,
      name: assigneeId && nameOfUser.get(assigneeId),
      ...counts(theirs),
    })),
    other: { assignees: rest.length, ...counts(rest.flatMap(([, theirs]) => theirs)) },
  }
}

function byType(tasks: Task[]) {
  const groups = [...groupBy(tasks, ({ type }) => type)].sort(
    ([a, { length }], [b, other]) => other.length - length || byText(a ?? 'z', b ?? 'z'),
  )
  return {
    items: groups.map(([type, ofType]) => ({ type, ...tally(ofType) })),
    other: { types: 0, ...tally([]) },
  }
}

const summaryTasks = (tasks: Task[], today: string) => ({
  tasks: { ...tally(tasks), overdue: tasks.filter(isOverdue(today)).length },
  progress: progressOf(tasks),
})

const summaryItem = ({ row, tasks, entries, lastActivityAt }: Project, today: string) => ({
  projectId: row['id'],
  key: row['key'],
  name: row['name'],
  status: row['status'],
  dueDate: dayOf(row['due_date']),
  ...summaryTasks(tasks, today),
  time: timeOf(entries),
  lastActivityAt,
})

export interface SummaryQuery {
  status?: string
  q?: string
  updatedAfter?: string
  sort?: string
}

/** Returns all items of a summary in order, without paging. */
export function summaryOf(projects: Project[], query: SummaryQuery, today: string) {
  const { status, q, updatedAfter, sort = '-lastActivityAt' } = query
  const field = sort.replace('-', '') as 'lastActivityAt' | 'name'
  const sign = sort.startsWith('-') ? -1 : 1
  return projects
    .filter(({ row }) => status === undefined || status.split(',').includes(row['status']))
    .filter(({ row }) => q === undefined || wordsOf(row).some((word) => word.startsWith(q.toLowerCase())))
    .map((project) => summaryItem(project, today))
    .filter(({ lastActivityAt }) => updatedAfter === undefined || lastActivityAt >= updatedAfter)
    .sort((a, b) => sign * (byText(a[field].toLowerCase(), b[field].toLowerCase()) || byText(a.projectId, b.projectId)))
}

/** Splitting at spaces is enough, because the projects of the test have plain words as names. */
const wordsOf = ({ key, name }: Row) => `${key} ${name}`.toLowerCase().split(' ')

export function totalsOf(projects: Project[], today: string) {
  const tasks = projects.flatMap((project) => project.tasks)
  return {
    projects: projects.length,
    ...summaryTasks(tasks, today),
    time: timeOf(projects.flatMap(({ entries }) => entries)),
    lastActivityAt:
      projects
        .map(({ lastActivityAt }) => lastActivityAt)
        .toSorted()
        .at(-1) ?? null,
  }
}
