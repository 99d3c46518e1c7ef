// Replaces the few bare tasks of Web and App with tasks that use every field.

import { app, id, web } from './data.ts'
import type { Sql } from './workgate.ts'

export const tag = (n: number) => `00000000-0000-7000-800b-${String(n).padStart(12, '0')}`

/** In one transaction, so that tags and watchers do not count as changes of the tasks. */
export const insertTasks = (sql: Sql) => sql.begin((transaction) => replaceTasks(transaction as unknown as Sql))

async function replaceTasks(sql: Sql): Promise<void> {
  await sql`delete from workgate.tasks`
  await sql`select workgate.add_field('points', 'number'), workgate.add_field('sprint', 'text')`
  // Two tasks have the same creation time and two the same due date. Each optional field is set on one and null on
  // another.
  await sql`insert into workgate.tasks ${sql([
    task(web, 1, 'One', '2026-03-02T09:00:00Z', '2026-03-10', {
      description: 'Paint the *bikeshed* in Grün',
      priority: 'high',
      stage_id: id('stage', 1),
      assignee_id: id('user', 1),
      creator_id: id('user', 2),
      start_date: '2020-03-02',
      due_date: '2020-04-10',
      estimate_seconds: 3600,
      fields: { sprint: 'Sprint 3', points: 3.0 },
    }),
    task(web, 2, 'Two', '2026-03-02T09:00:00Z', '2026-03-09', {
      stage_id: id('stage', 1),
      parent_id: id('task', 1),
      creator_id: id('user', 1),
    }),
    task(web, 3, 'Three', '2026-03-03T12:00:00Z', '2026-03-08', {
      priority: 'urgent',
      stage_id: id('stage', 2),
      assignee_id: id('user', 2),
      creator_id: id('user', 2),
      due_date: '2999-01-01',
    }),
    task(web, 4, 'Four', '2026-03-01T00:00:00.001Z', '2026-03-08T12:00:00.500Z', {
      description: 'bikesheds are for bikes',
      state: 'completed',
      completed_at: '2026-03-08T12:00:00.500Z',
      priority: 'medium',
      stage_id: id('stage', 4),
      assignee_id: id('user', 2),
      due_date: '2020-03-05',
    }),
    task(web, 5, 'Five', '2026-02-28', '2026-03-07', {
      state: 'cancelled',
      priority: 'low',
      parent_id: id('task', 1),
      due_date: '2020-03-05',
    }),
    task(web, 6, 'Six', '2026-03-04', '2026-03-11', { state: 'completed', completed_at: '2026-03-07T08:00:00Z' }),
    task(app, 7, 'Seven', '2026-03-05', '2026-03-05', { stage_id: id('stage', 5), description: 'Another bikeshed' }),
  ])}`
  await sql`insert into workgate.tags ${sql([
    { project_id: web, id: tag(1), name: 'bug', color: '#cc0000' },
    { project_id: web, id: tag(2), name: 'Ärger', color: null },
    { project_id: web, id: tag(3), name: 'UI', color: '#00cc00' },
    { project_id: app, id: tag(4), name: 'bug', color: null },
  ])}`
  await sql`insert into workgate.task_tags ${sql([
    { project_id: web, task_id: id('task', 1), tag_id: tag(1) },
    { project_id: web, task_id: id('task', 1), tag_id: tag(2) },
    { project_id: web, task_id: id('task', 1), tag_id: tag(3) },
    { project_id: web, task_id: id('task', 3), tag_id: tag(2) },
    { project_id: app, task_id: id('task', 7), tag_id: tag(4) },
  ])}`
  await sql`insert into workgate.task_watchers ${sql([
    { project_id: web, task_id: id('task', 1), user_id: id('user', 4) },
    { project_id: web, task_id: id('task', 1), user_id: id('user', 2) },
    { project_id: web, task_id: id('task', 1), user_id: id('user', 1) },
    { project_id: web, task_id: id('task', 3), user_id: id('user', 1) },
    { project_id: app, task_id: id('task', 7), user_id: id('user', 5) },
  ])}`
}

const task = (
  project_id: string,
  n: number,
  title: string,
  created_at: string,
  updated_at: string,
  more: Record<string, string | number | object>,
) => ({
  project_id,
  id: id('task', n),
  number: n,
  title,
  created_at,
  updated_at,
  description: null,
  state: 'open',
  priority: 'none',
  stage_id: null,
  parent_id: null,
  assignee_id: null,
  creator_id: null,
  start_date: null,
  due_date: null,
  estimate_seconds: null,
  fields: null,
  external_id: null,
  external_url: null,
  completed_at: null,
  ...more,
})
