// A small set of projects, people, boards and stages for tests of the contract, with ids that can be read.

import type { Sql } from './workgate.ts'

/** id('user', 1) is 00000000-0000-7000-8001-000000000001 */
export const id = (kind: keyof typeof kinds, n: number) =>
  `00000000-0000-7000-8${kinds[kind]}-${String(n).padStart(12, '0')}`

const kinds = { user: '001', team: '002', project: '003', board: '004', stage: '005', task: '006' }

/** Web is full of things, App has some of its own, Old is archived and empty. */
export const web = id('project', 1)
export const app = id('project', 2)
export const old = id('project', 3)
export const missing = id('project', 99)

/** Ids of rows in Web, for the parameters of a path. */
const pathIds: Record<string, string> = { taskId: id('task', 1) }

/** The path of a route: /projects/:projectId/tasks/:taskId becomes one that is there in Web. */
export const fill = (path: string, projectId: string) =>
  path.replace(/:(\w+)/g, (_, name: string) => (name === 'projectId' ? projectId : pathIds[name]!))

export async function insertData(sql: Sql): Promise<void> {
  await sql`insert into workgate.users ${sql([
    user(1, 'Ada Lovelace', 'ada@example.org', true),
    user(2, 'grace Hopper', 'grace@example.org', true),
    user(3, 'Ångström, Anders', 'anders@example.com', false),
    user(4, 'Zoë Q', 'zoe@example.net', true),
    user(5, 'Outsider', 'outsider@example.org', true),
  ])}`
  await sql`insert into workgate.teams ${sql([
    { id: id('team', 1), name: 'Design', description: 'Pictures and words', created_at: '2026-01-02' },
    { id: id('team', 2), name: 'build', description: null, created_at: '2026-01-01' },
    { id: id('team', 3), name: 'Elsewhere', description: null, created_at: '2026-01-03' },
  ])}`
  await sql`insert into workgate.team_members ${sql([
    { team_id: id('team', 1), user_id: id('user', 1) },
    { team_id: id('team', 1), user_id: id('user', 4) },
    { team_id: id('team', 1), user_id: id('user', 5) },
    { team_id: id('team', 2), user_id: id('user', 2) },
    { team_id: id('team', 3), user_id: id('user', 5) },
    { team_id: id('team', 3), user_id: id('user', 1) },
  ])}`
  await sql`insert into workgate.projects ${sql([
    {
      id: web,
      key: 'WEB',
      name: 'Web site',
      description: 'The public pages',
      status: 'active',
      owner_id: id('user', 1),
      start_date: '2026-01-01',
      due_date: '2026-12-31',
      created_at: '2026-03-01T10:00:00.001Z',
      updated_at: '2026-03-05T10:00:00Z',
    },
    {
      id: app,
      key: 'APP',
      name: 'app for phones',
      description: null,
      status: 'active',
      owner_id: null,
      start_date: null,
      due_date: null,
      created_at: '2026-03-01T10:00:00.002Z',
      updated_at: '2026-03-04T10:00:00Z',
    },
    {
      id: old,
      key: 'OLD',
      name: 'Zeta',
      description: 'Done and put away',
      status: 'archived',
      owner_id: null,
      start_date: null,
      due_date: null,
      created_at: '2025-01-01T00:00:00Z',
      updated_at: '2025-06-01T00:00:00Z',
    },
  ])}`
  await sql`insert into workgate.project_members ${sql([
    member(web, 1, 'owner', '2026-03-01'),
    member(web, 2, 'admin', '2026-03-02'),
    member(web, 3, 'viewer', '2026-03-03'),
    member(web, 4, 'member', '2026-03-02'),
    member(app, 5, 'owner', '2026-03-01'),
  ])}`
  await sql`insert into workgate.project_teams ${sql([
    { project_id: web, team_id: id('team', 1) },
    { project_id: web, team_id: id('team', 2) },
    { project_id: app, team_id: id('team', 3) },
  ])}`
  await sql`insert into workgate.boards ${sql([
    { project_id: web, id: id('board', 1), name: 'Main', position: 1, archived: false },
    { project_id: web, id: id('board', 2), name: 'attic', position: 2, archived: true },
    { project_id: web, id: id('board', 3), name: 'Side', position: 1, archived: false },
    { project_id: app, id: id('board', 4), name: 'App', position: 0, archived: false },
  ])}`
  await sql`insert into workgate.stages ${sql([
    stage(web, 1, 1, 'To do', 0, 'backlog'),
    stage(web, 2, 1, 'Doing', 1, 'active'),
    stage(web, 3, 1, 'Done', 2, 'done'),
    stage(web, 4, 3, 'Ideas', 0, 'backlog'),
    stage(app, 5, 4, 'Only', 0, 'active'),
  ])}`
  await sql`insert into workgate.tasks ${sql([
    { project_id: web, id: id('task', 1), stage_id: id('stage', 1), title: 'One' },
    { project_id: web, id: id('task', 2), stage_id: id('stage', 1), title: 'Two' },
    { project_id: web, id: id('task', 3), stage_id: id('stage', 2), title: 'Three' },
  ])}`
}

const user = (n: number, name: string, email: string, active: boolean) => ({ id: id('user', n), name, email, active })
const member = (project_id: string, n: number, role: string, joined_at: string) => ({
  project_id,
  user_id: id('user', n),
  role,
  joined_at,
})
const stage = (project_id: string, n: number, board: number, name: string, position: number, category: string) => ({
  project_id,
  id: id('stage', n),
  board_id: id('board', board),
  name,
  position,
  category,
})
