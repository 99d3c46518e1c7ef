// Fills a database: one project with many tasks among projects with few, some of them with enough for a page of 50.

import type { Sql } from '../support/workgate.ts'
import { description, pageProject, projectCount, writtenCount } from './bench-pages.ts'

const pageNumbers = Array.from({ length: projectCount + writtenCount }, (_, n) => n + 1)

export const largeProject = '00000000-0000-7000-8003-000000000001'

/** `others` is the number of projects besides those whose lists are read. */
export async function fill(sql: Sql, taskCount: number, others: number): Promise<void> {
  await sql.unsafe(`
    insert into workgate.users (name, email) select 'User ' || n, n || '@example.org' from generate_series(1, 100) n;
    insert into workgate.projects (id, key, name) values ('${largeProject}', 'BENCH', 'Bench');
    insert into workgate.projects (key, name) select 'P' || n, 'Project ' || n from generate_series(1, ${others}) n;
    insert into workgate.projects (id, key, name) values
      ${pageNumbers.map((n) => `('${pageProject(n)}', 'L${n}', 'List ${n}')`).join(', ')};
    insert into workgate.project_members (project_id, user_id) select p.id, u.id from workgate.projects p, workgate.users u;
    insert into workgate.boards (project_id, name) select id, 'Board' from workgate.projects;
    insert into workgate.stages (project_id, board_id, name, position, category)
    select project_id, id, category, n, category
    from workgate.boards, unnest(array['backlog', 'active', 'done']) with ordinality as c (category, n);
    insert into workgate.tags (project_id, name) select '${largeProject}', 'tag ' || n from generate_series(1, 20) n;`)
  await sql.unsafe('analyze')
  // Half of the tasks are done. Titles repeat every thousand tasks.
  await sql.unsafe(`
    insert into workgate.tasks (project_id, stage_id, title, description, state, priority, assignee_id, due_date, completed_at, created_at)
    select
      p.id, s.id, 'Task word' || n % 1000, case left(p.key, 1) when 'L' then '${description}' else repeat('some words of description ', 8) end,
      case s.category when 'done' then 'completed' else 'open' end,
      (enum_range(null::workgate.priority))[1 + n % 5],
      (select id from workgate.users where email = n % 100 + 1 || '@example.org'),
      date '2026-01-01' + n % 300,
      case s.category when 'done' then timestamptz '2026-01-02' + n * interval '3 minutes' end,
      timestamptz '2026-01-01' + n * interval '3 minutes'
    from workgate.projects p
    cross join lateral generate_series(1, case left(p.key, 1) when 'B' then ${taskCount} when 'L' then 52 else 1 end) n
    join workgate.stages s on s.project_id = p.id and s.position = least(n % 4, 2) + 1;
    insert into workgate.task_tags (project_id, task_id, tag_id)
    select project_id, t.id, g.id
    from workgate.tasks t join workgate.tags g using (project_id)
    where g.name in ('tag ' || t.number % 20, 'tag ' || t.number % 7);
    insert into workgate.task_watchers (project_id, task_id, user_id)
    select project_id, id, assignee_id from workgate.tasks where project_id = '${largeProject}'`)
  await sql.unsafe('vacuum analyze')
}
