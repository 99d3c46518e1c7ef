// Loads projects of several sizes with COPY, each with as many time entries as tasks, spread over the same two years.

import type { Sql } from '../support/workgate.ts'

export const projectOf = (size: number) => `00000000-0000-7000-8004-${String(size).padStart(12, '0')}`

export interface Loads {
  /** Seconds that COPY took, with and without the triggers. */
  withTriggers: number
  without: number
}

export async function fillSizes(sql: Sql, sizes: readonly number[]): Promise<void> {
  for (const size of sizes) {
    await makeProject(sql, projectOf(size), `S${size}`)
    await copyTasks(sql, projectOf(size), size)
    await sql.unsafe(`
      insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at, billable)
      select project_id, id, assignee_id, created_at::date, created_at, created_at + (number % 400) * interval '1 minute', number % 3 = 0
      from workgate.tasks where project_id = '${projectOf(size)}'`)
  }
  await sql.unsafe('vacuum analyze')
}

/** Measures a load of this many tasks with and without the triggers. Deletes them afterwards. */
export async function timeLoads(sql: Sql, size: number): Promise<Loads> {
  const project = '00000000-0000-7000-8005-000000000001'
  await makeProject(sql, project, 'LOADS')
  const load = async (triggers: 'enable' | 'disable') => {
    for (const table of ['tasks', 'task_history'])
      await sql.unsafe(`alter table workgate.${table} ${triggers} trigger user`)
    const seconds = await copyTasks(sql, project, size)
    await sql.unsafe(
      'alter table workgate.tasks enable trigger user; alter table workgate.task_history enable trigger user',
    )
    return seconds
  }
  const withTriggers = await load('enable')
  // Both loads start with indexes of the same size.
  await sql.unsafe(`delete from workgate.projects where id = '${project}'`)
  await sql.unsafe('vacuum workgate.tasks')
  await makeProject(sql, project, 'LOADS')
  const without = await load('disable')
  await sql.unsafe(`delete from workgate.projects where id = '${project}'`)
  return { withTriggers, without }
}

async function makeProject(sql: Sql, id: string, key: string): Promise<void> {
  await sql.unsafe(`
    insert into workgate.projects (id, key, name) values ('${id}', '${key}', '${key}');
    insert into workgate.project_members (project_id, user_id) select '${id}', id from workgate.users;
    insert into workgate.boards (project_id, name) values ('${id}', 'Board');
    insert into workgate.stages (project_id, board_id, name, position, category)
    select project_id, id, category, n, category
    from workgate.boards, unnest(array['backlog', 'active', 'done']) with ordinality as c (category, n)
    where project_id = '${id}'`)
}

/** Half of the tasks are completed, after up to two months. Returns the seconds that COPY took. */
async function copyTasks(sql: Sql, project: string, size: number): Promise<number> {
  const [row] = await sql`select current_setting('data_directory') || '/bench.copy' as file`
  const columns = `project_id, board_id, stage_id, number, title, description, state, priority, assignee_id, due_date, estimate_seconds,
    completed_at, created_at`
  await sql.unsafe(`
    copy (
      select
        '${project}', s.board_id, s.id, n, 'Task word' || n % 1000, repeat('some words of description ', 8),
        case s.category when 'done' then 'completed' else 'open' end, (enum_range(null::workgate.priority))[1 + n % 5], u.id,
        t.created_at::date + 30, case when n % 3 = 0 then n % 100 * 600 end,
        case s.category when 'done' then least(now(), t.created_at + (n::bigint * 7919 % 86400) * interval '1 minute') end, t.created_at
      from generate_series(1, ${size}) n
      cross join lateral (select now() - interval '2 years' * (1 - n::float / ${size + 1})) t (created_at)
      join workgate.stages s on s.project_id = '${project}' and s.position = least(n % 4, 2) + 1
      join workgate.users u on u.email = n % 100 + 1 || '@example.org'
      order by n
    ) to '${row!['file']}'`)
  const started = performance.now()
  await sql.unsafe(`copy workgate.tasks (${columns}) from '${row!['file']}'`)
  return (performance.now() - started) / 1000
}
