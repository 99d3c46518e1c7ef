// Computes what overview and summary must return, from all rows: simple, slow, and without any code of the service.

import { addDays } from './oracle-days.ts'
import {
  amountOf,
  dayOf,
  groupBy,
  ratio,
  sum,
  tasksAsMeasure,
  unitsIn,
  type Entry,
  type Measure,
  type Project,
  type Row,
  type Task,
} from './oracle-rows.ts'

const states = ['open', 'completed', 'cancelled'] as const
export const priorities = ['none', 'low', 'medium', 'high', 'urgent']
const maxAssignees = 50

const tally = (tasks: Task[], measure: Measure) => ({
  total: amountOf(tasks, measure),
  ...Object.fromEntries(
    states.map((state) => [
      state,
      amountOf(
        tasks.filter((task) => task.state === state),
        measure,
      ),
    ]),
  ),
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

function progressOf(tasks: Task[], measure: Measure) {
  const unitsWith = (state: Task['state']) =>
    unitsIn(
      tasks.filter((task) => task.state === state),
      measure,
    )
  const [open, completed] = [unitsWith('open'), unitsWith('completed')]
  return open < 0 || completed < 0 ? null : ratio(completed, open + completed)
}

export function overviewOf(project: Project, measure: Measure, today: string) {
  const { tasks, entries } = project
  const estimated = new Set(tasks.filter(({ estimate }) => estimate !== null).map(({ id }) => id))
  const midnight = (days: number) => Date.parse(addDays(today, days))
  const ofLastDays = (moment: number | null) => moment !== null && moment >= midnight(-6) && moment < midnight(1)
  const amount = (counts: (task: Task) => boolean) => amountOf(tasks.filter(counts), measure)
  return {
    measure: measure.name,
    fields: [
      { name: 'note', type: 'text' },
      { name: 'points', type: 'number' },
    ],
    tasks: {
      ...tally(tasks, measure),
      overdue: amount(isOverdue(today)),
      unassigned: amount(({ assigneeIds }) => assigneeIds.length === 0),
    },
    progress: progressOf(tasks, measure),
    byStage: byStage(project, measure),
    byPriority: priorities.map((priority) => ({
      priority,
      ...tally(
        tasks.filter((task) => task.priority === priority),
        measure,
      ),
    })),
    byAssignee: byAssignee(project, measure, today),
    byType: byType(tasks, measure),
    counts: project.counts,
    time: {
      ...timeOf(entries),
      estimateSeconds: sum(tasks.map(({ estimate }) => estimate ?? 0)),
      estimatedTaskSeconds: secondsOf(entries.filter(({ taskId }) => taskId !== null && estimated.has(taskId))),
    },
    createdLast7Days: amount(({ created }) => ofLastDays(created)),
    completedLast7Days: amount(({ completed }) => ofLastDays(completed)),
    lastActivityAt: project.lastActivityAt,
  }
}

/** Whether an assignee, a type or the tasks without a stage are listed: if one of the figures is not 0. */
const isListed = (figures: object) => Object.values(figures).some((value) => value !== 0)

function byStage({ tasks, stages, boards }: Project, measure: Measure) {
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
        ...tally(tasksOf.get(id) ?? [], measure),
      })),
  )
  const nowhere = tally(tasksOf.get(null) ?? [], measure)
  if (!isListed(nowhere)) return rows
  return [...rows, { stageId: null, boardId: null, name: null, category: null, ...nowhere }]
}

type Group = readonly [name: string | null, tasks: Task[]]

/** 'z' sorts after all hex digits and the types of the test: among equal sums, tasks without come last. */
const largestFirst =
  (measure: Measure) =>
  ([a, theirs]: Group, [b, others]: Group) =>
    unitsIn(others, measure) - unitsIn(theirs, measure) || byText(a ?? 'z', b ?? 'z')

function byAssignee({ tasks, nameOfUser }: Project, measure: Measure, today: string) {
  const figures = (theirs: Task[]) => ({
    ...tally(theirs, measure),
    overdue: amountOf(theirs.filter(isOverdue(today)), measure),
  })
  // A task counts for each of its assignees.
  const pairs = tasks.flatMap((task) =>
    (task.assigneeIds.length > 0 ? task.assigneeIds : [null]).map((assigneeId) => ({ assigneeId, task })),
  )
  const groups = [...groupBy(pairs, ({ assigneeId }) => assigneeId)]
    .map(([id, theirs]) => [id, theirs.map(({ task }) => task)] as const)
    .filter(([, theirs]) => isListed(figures(theirs)))
    .sort(largestFirst(measure))
  const rest = groups.slice(maxAssignees)
  return {
    items: groups.slice(0, maxAssignees).map(([assigneeId, theirs]) => ({
      assigneeId,
      name: assigneeId && nameOfUser.get(assigneeId),
      ...figures(theirs),
    })),
    other: { assignees: rest.length, ...figures(rest.flatMap(([, theirs]) => theirs)) },
  }
}

function byType(tasks: Task[], measure: Measure) {
  const groups = [...groupBy(tasks, ({ type }) => type)]
    .filter(([, ofType]) => isListed(tally(ofType, measure)))
    .sort(largestFirst(measure))
  return {
    items: groups.map(([type, ofType]) => ({ type, ...tally(ofType, measure) })),
    other: { types: 0, ...tally([], measure) },
  }
}

const summaryTasks = (tasks: Task[], today: string) => ({
  tasks: { ...tally(tasks, tasksAsMeasure), overdue: tasks.filter(isOverdue(today)).length },
  progress: progressOf(tasks, tasksAsMeasure),
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
