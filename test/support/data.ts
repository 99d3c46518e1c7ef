// A small set of projects, users, boards, stages and other rows for contract tests, with readable ids.

import type { Sql } from './workgate.ts'

/** id('user', 1) is 00000000-0000-7000-8001-000000000001 */
export const id = (kind: keyof typeof kinds, n: number) =>
  `00000000-0000-7000-8${kinds[kind]}-${String(n).padStart(12, '0')}`

// prettier-ignore
const kinds = {
  user: '001', team: '002', project: '003', board: '004', stage: '005', task: '006',
  comment: '007', file: '008', timeEntry: '009', document: '00a', field: '00b',
}

/** Web has most of the rows, App has a few, Old is archived and empty. */
export const web = id('project', 1)
export const app = id('project', 2)
export const old = id('project', 3)
export const missing = id('project', 99)

/** Ids of rows in Web, for path parameters. */
const pathIds: Record<string, string> = {
  taskId: id('task', 1),
  commentId: id('comment', 1),
  fileId: id('file', 1),
  timeEntryId: id('timeEntry', 1),
  documentId: id('document', 1),
}

/** Replaces the parameters of a route: /projects/:projectId/tasks/:taskId becomes the path of a task of Web. */
export const fill = (path: string, projectId: string, taskId = pathIds['taskId']!) =>
  path.replace(/:(\w+)/g, (_, name: string) => ({ ...pathIds, projectId, taskId })[name]!)

/** The query without which a verification is refused. */
export function requiredQuery(path: string): string {
  if (path.endsWith('/work-packet/verification')) return '?state=open'
  return path.endsWith('/work-packets/verification') ? '?state=open&taskIds=1' : ''
}

/** A word in the text of every document, and nowhere else. */
export const secret = 'Xylophonsolo'

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
  await sql.begin((transaction) => insertRecords(transaction as unknown as Sql))
}

/** Comments, time entries and documents of Web. In one transaction, so that files do not change updated_at. */
async function insertRecords(sql: Sql): Promise<void> {
  await sql`insert into workgate.comments ${sql([
    comment(web, 1, 1, 1, 'First: the zebra-crossing', '2026-04-01T10:00:00.001Z', '2026-04-04'),
    comment(web, 2, 1, 2, 'Second, with "quotes",\nlines and Zebras', '2026-04-01T10:00:00.002Z', '2026-04-03'),
    comment(web, 3, 2, null, 'Crossing ÉTÉ', '2026-04-02', '2026-04-02'),
  ])}`
  await sql`insert into workgate.files ${sql([
    file(web, 1, 1, 2, 'late.png', '2026-04-02'),
    file(web, 3, 1, 2, 'b.png', '2026-04-01'),
    file(web, 2, 1, 2, 'a.png', '2026-04-01'),
    { ...file(web, 4, 1, null, 'plan.png', '2026-04-03'), creator_id: id('user', 2), size_bytes: null, sha256: null },
  ])}`
  await sql`insert into workgate.time_entries ${sql([
    timeEntry(web, 1, 1, 1, '2026-04-01', '2026-04-01T08:00Z', '2026-04-01T09:30:30.9Z', true, '2026-04-01'),
    timeEntry(web, 2, 1, 2, '2026-04-03', '2026-04-02T22:30Z', '2026-04-03T00:30Z', false, '2026-04-05'),
    timeEntry(web, 3, 2, 1, '2026-04-02', '2026-04-02T22:30Z', null, true, '2026-04-03'),
  ])}`
  await sql`insert into workgate.documents ${sql([
    document(web, 1, 'docs/setup-guide.md', 'Zero to one', 1, 1, '2026-04-01', '2026-04-03'),
    document(web, 2, 'Readme.md', 'about', null, 2, '2026-04-02', '2026-04-04'),
    document(web, 3, 'docs/100%.md', 'Über_all', 1, null, '2026-04-03', '2026-04-05'),
    document(web, 4, 'docs/100x.md', 'Zebra', 2, 1, '2026-04-04', '2026-04-04'),
    document(web, 5, 'docs_old/été.md', 'attic', null, 1, '2026-04-05', '2026-04-05'),
  ])}`
}

/** Rows of App that would match the same filters as those of Web; one comment has the same id as a comment of Web. */
export const insertStrangers = (sql: Sql) =>
  sql.begin((transaction) => insertRecordsOfApp(transaction as unknown as Sql))

async function insertRecordsOfApp(sql: Sql): Promise<void> {
  await sql`insert into workgate.tasks ${sql([{ project_id: app, id: id('task', 90), title: 'Elsewhere' }])}`
  await sql`insert into workgate.comments ${sql([
    comment(app, 90, 90, 1, 'First zebra-crossing', '2026-04-01', '2026-04-04'),
    comment(app, 3, 90, 1, 'Second zebra-crossing', '2026-04-01', '2026-04-04'),
  ])}`
  await sql`insert into workgate.files ${sql([file(app, 90, 90, 3, 'elsewhere.png', '2026-04-01')])}`
  await sql`insert into workgate.time_entries ${sql([
    timeEntry(app, 90, 90, 1, '2026-04-02', '2026-04-01T08:00Z', null, true, '2026-04-01'),
  ])}`
  await sql`insert into workgate.documents ${sql([
    document(app, 90, 'docs/setup-guide.md', 'Zero to one', 90, 1, '2026-04-01', '2026-04-03'),
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

// prettier-ignore
const comment = (project_id: string, n: number, task: number, author: number | null, body: string, created_at: string, updated_at: string) => ({
  project_id, id: id('comment', n), task_id: id('task', task), author_id: author && id('user', author), body, created_at, updated_at,
})
// prettier-ignore
const file = (project_id: string, n: number, task: number, comment: number | null, name: string, created_at: string) => ({
  project_id, id: id('file', n), task_id: id('task', task), comment_id: comment && id('comment', comment), creator_id: null as string | null, name,
  mime_type: 'image/png', size_bytes: n * 1000 as number | null, sha256: String(n % 10).repeat(64) as string | null,
  url: `https://files.example.org/${name}`, created_at, updated_at: created_at,
})
// prettier-ignore
const timeEntry = (project_id: string, n: number, task: number, user: number, spent_on: string, started_at: string, ended_at: string | null, billable: boolean, updated_at: string) => ({
  project_id, id: id('timeEntry', n), task_id: id('task', task), user_id: id('user', user),
  description: ended_at && `Work ${n}`, spent_on, started_at, ended_at, billable, created_at: started_at, updated_at,
})
// prettier-ignore
const document = (project_id: string, n: number, path: string, title: string, task: number | null, author: number | null, created_at: string, updated_at: string) => ({
  project_id, id: id('document', n), path, title, task_id: task && id('task', task), author_id: author && id('user', author),
  markdown: `# Part ${n}\n\n${secret}, twice: ${secret}\n\n## End\n`, created_at, updated_at,
})
