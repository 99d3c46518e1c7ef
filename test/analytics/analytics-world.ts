// Defines the projects that the clients write to, and generates rows for them.

import { chooser } from '../support/random.ts'
import type { Sql } from '../support/workgate.ts'
import { dueDate, moment, spentOn, type Choice } from './moments.ts'
import { priorities } from './analytics-oracle.ts'
import type { Row } from './oracle-rows.ts'

const choice = chooser(20_261_121)
const { below, id, maybe, pick, times } = choice

/** A key for selected projects can access large and small. Only a key for all projects can access hidden. */
export const [large, small, hidden] = [id(), id(), id()] as const
/** The projects that no writer deletes. */
export const permanent = [large, small, hidden]

export const userIds = times(70, id)
export const teamIds = times(6, id)

const stagesOfProject = 5
const categories = ['backlog', 'active', 'done']

/** The ids of a project's rows that a writer uses. */
export interface KnownIds {
  project: string
  tasks: string[]
  entries: string[]
  comments: string[]
  documents: string[]
  members: string[]
  stages: string[]
  boards: string[]
}

export function stateOf(choice: Choice, at = moment(choice)): Row {
  const state = choice.pick(['open', 'open', 'completed', 'completed', 'cancelled'])
  return {
    state,
    completed_at: state === 'completed' ? at : null,
    // If it is null, the database fills it in.
    cancelled_at: state === 'cancelled' ? choice.maybe(0.7, () => at) : null,
  }
}

/** Mostly none or one, written to either column. */
export function assigneesOf({ chance, maybe, pick, some }: Choice, members: string[]): Row {
  const ids = [...new Set(some(members, 3))]
  if (chance(0.3) && ids.length > 0) return { assignee_id: ids[0], assignee_ids: ids }
  return { assignee_id: maybe(0.8, () => pick(members) ?? null), assignee_ids: null }
}

export const typeOf = ({ maybe, pick }: Choice) => maybe(0.5, () => pick(['bug', 'epic', 'story']))

const estimates = [0, 1, 900, 3600, 7200, 86_400, 2_147_483_647]
export const estimateOf = ({ maybe, pick }: Choice) => maybe(0.6, () => pick(estimates))

const points = [-1, 0, 0.5, 1, 2.25, 3, 1e9]
export const fieldsOf = ({ maybe, pick }: Choice) => maybe(0.6, () => ({ points: pick(points), note: 'x' }))

export function taskFields(choice: Choice, { stages, members }: KnownIds): Row {
  const moments = [moment(choice), moment(choice)]
  // The database accepts a task that is completed before it was created.
  if (choice.chance(0.9)) moments.sort((a, b) => a.getTime() - b.getTime())
  return {
    title: `Task ${choice.below(1000)}`,
    priority: choice.pick(priorities),
    type: typeOf(choice),
    stage_id: choice.maybe(0.8, () => choice.pick(stages) ?? null),
    ...assigneesOf(choice, members),
    due_date: choice.maybe(0.6, () => dueDate(choice)),
    estimate_seconds: estimateOf(choice),
    fields: fieldsOf(choice),
    created_at: moments[0],
    ...stateOf(choice, moments[1]),
  }
}

export const taskRow = (choice: Choice, known: KnownIds): Row => ({
  project_id: known.project,
  id: choice.id(),
  ...taskFields(choice, known),
})

export function timesOf(choice: Choice): Row {
  const started_at = moment(choice)
  const lasted = choice.pick([0, 999, 1000, 1_799_999, 3_600_000, choice.below(36_000_000)])
  return {
    spent_on: spentOn(choice),
    started_at,
    ended_at: choice.maybe(0.85, () => new Date(started_at.getTime() + lasted)),
  }
}

export const entryRow = (choice: Choice, { project, tasks }: KnownIds): Row => ({
  project_id: project,
  id: choice.id(),
  task_id: choice.maybe(0.9, () => choice.pick(tasks) ?? null),
  user_id: choice.pick(userIds),
  billable: choice.chance(0.5),
  ...timesOf(choice),
})

export const commentRow = (choice: Choice, { project, tasks }: KnownIds): Row => ({
  project_id: project,
  task_id: choice.pick(tasks),
  body: 'Said',
  created_at: moment(choice),
})

export const documentRow = (choice: Choice, { project, tasks }: KnownIds): Row => ({
  project_id: project,
  path: `docs/${choice.id()}.md`,
  title: 'Written',
  markdown: '# One',
  task_id: choice.maybe(0.5, () => choice.pick(tasks) ?? null),
})

let keys = 0
export const projectRow = (choice: Choice, project: string): Row => ({
  id: project,
  key: `P${keys++}`,
  name: `${choice.pick(['Alpha', 'beta', 'Gamma'])} ${choice.pick(['one', 'Two', 'three'])}`,
  status: choice.pick(['active', 'active', 'archived']),
  due_date: choice.maybe(0.5, () => dueDate(choice)),
})

/** Inserts the boards, stages and members that the tasks of a project refer to. */
export async function insertStructure(sql: Sql, choice: Choice, project: string, members: number): Promise<KnownIds> {
  const boards = choice.times(2, choice.id)
  const stages = choice.times(stagesOfProject, choice.id)
  const memberIds = userIds.slice(0, members)
  await sql`insert into workgate.boards ${sql(
    boards.map((id) => ({ project_id: project, id, name: 'Board', position: choice.below(2) })),
  )}`
  await sql`insert into workgate.stages ${sql(
    stages.map((id, at) => ({
      project_id: project,
      id,
      board_id: boards[at % 2]!,
      name: `Stage ${at}`,
      position: choice.below(3),
      category: categories[at % 3]!,
    })),
  )}`
  await sql`insert into workgate.project_members ${sql(memberIds.map((user_id) => ({ project_id: project, user_id })))}`
  return { project, tasks: [], entries: [], comments: [], documents: [], members: memberIds, stages, boards }
}

/** Large has more assignees, and more tasks with time entries, than a response lists. */
const sizes: [project: string, members: number, tasks: number, entries: number][] = [
  [large, 65, 700, 1800],
  [small, 8, 60, 90],
  [hidden, 3, 25, 40],
]

export async function insertWorld(sql: Sql): Promise<void> {
  await sql`select workgate.add_field('points', 'number'), workgate.add_field('note', 'text')`
  await sql`insert into workgate.users ${sql(
    userIds.map((id, n) => ({ id, name: `User ${below(40)}`, email: `${n}@example.org` })),
  )}`
  await sql`insert into workgate.teams ${sql(teamIds.map((id, n) => ({ id, name: `Team ${n}` })))}`
  for (const [project, members, tasks, entries] of sizes) {
    await sql`insert into workgate.projects ${sql({ ...projectRow(choice, project), status: 'active' })}`
    const known = await insertStructure(sql, choice, project, members)
    await insertTasks(sql, choice, known, tasks)
    await insertEntries(sql, choice, known, entries)
    await sql`insert into workgate.comments ${sql(times(30, () => commentRow(choice, known)))}`
    await sql`insert into workgate.documents ${sql(times(20, () => documentRow(choice, known)))}`
  }
  await sql`update workgate.users set active = false where id = ${pick(userIds)}`
  await sql`update workgate.projects set owner_id = ${maybe(1, () => pick(userIds))} where id = ${large}`
}

export async function insertTasks(sql: Sql, choice: Choice, known: KnownIds, count: number): Promise<void> {
  const rows = choice.times(count, () => taskRow(choice, known))
  known.tasks.push(...rows.map(({ id }) => id as string))
  await sql`insert into workgate.tasks ${sql(rows)}`
}

export async function insertEntries(sql: Sql, choice: Choice, known: KnownIds, count: number): Promise<void> {
  // Each task gets one entry before any task gets a second one.
  const rows = choice.times(count, (at) => {
    const row = entryRow(choice, known)
    return { ...row, task_id: known.tasks[at] ?? row['task_id'] }
  })
  await sql`insert into workgate.time_entries ${sql(rows)}`
}
