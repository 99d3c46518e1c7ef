// A request for each operation on the demo data. Project lists need an entry only if they need parameters.

import { projectLists } from '../support/lists.ts'
import type { Sql } from '../support/workgate.ts'

export interface Request {
  path: string
  body?: object
}

export async function requestsOn(sql: Sql): Promise<{ projects: string[]; requests: Record<string, Request> }> {
  const projects = await sql`select id, owner_id from workgate.projects where status = 'active' order by key limit 2`
  const { id, owner_id: owner } = projects[0]!
  const one = async (table: string, rest = '') => {
    const [row] = await sql.unsafe(`select * from workgate.${table} t where project_id = $1 ${rest} limit 1`, [id])
    return row!
  }
  const has = ['documents', 'comments', 'task_tags', 'task_watchers', 'time_entries'].map(
    (table) => `exists (select from workgate.${table} x where x.project_id = t.project_id and x.task_id = t.id)`,
  )
  has.push('exists (select from workgate.tasks c where c.project_id = t.project_id and c.parent_id = t.id)')
  const most = has.map((part) => `(${part})::integer`).join(' + ')
  const task = await one('tasks', `order by ${most} desc, number`)
  const open = await one('tasks', `and state = 'open' and assignee_id is not null order by number desc`)
  const [comment, entry, document] = await Promise.all(
    ['comments', 'time_entries', 'documents'].map((table) => one(table, 'order by id')),
  )
  const here = `/projects/${id}`
  const packet = `${here}/tasks/${task['id']}/work-packet`
  const lists = projectLists.map(({ path, operationId }) => [
    operationId,
    { path: `${path.replace('/projects/:projectId', here)}?limit=2` },
  ])
  return {
    projects: projects.map((project) => project['id']),
    requests: {
      ...Object.fromEntries(lists),
      getKey: { path: '/key' },
      listProjects: { path: '/projects?sort=name&limit=2' },
      summarizeProjects: { path: '/projects/summary?limit=2' },
      getProject: { path: here },
      listTasksAcrossProjects: { path: '/tasks?state=open&sort=dueDate&limit=2' },
      listTimeEntriesAcrossProjects: { path: '/time-entries?limit=2' },
      listTasks: { path: `${here}/tasks?include=tags,watchers&limit=2` },
      getTask: { path: `${here}/tasks/${task['id']}?include=tags,watchers` },
      getWorkPacket: { path: packet },
      verifyWorkPacket: { path: `${packet}/verification?state=${task['state']}&minVersion=${task['version']}` },
      listComments: { path: `${here}/comments?hasFiles=true&include=files&limit=2` },
      getComment: { path: `${here}/comments/${comment!['id']}` },
      getTimeEntry: { path: `${here}/time-entries/${entry!['id']}` },
      getDocument: { path: `${here}/documents/${document!['id']}` },
      getOverview: { path: `${here}/analytics/overview` },
      getProgress: { path: `${here}/analytics/progress?from=2026-08-01&to=2026-11-21&interval=month` },
      getTimeReport: { path: `${here}/analytics/time?from=2026-10-26&to=2026-11-21` },
      createProject: { path: '/projects', body: newProject },
      createTask: { path: `${here}/tasks`, body: { ...newTask, assigneeId: owner } },
      completeTask: { path: `${here}/tasks/${open['id']}/complete` },
    },
  }
}

const newProject = {
  name: 'Spring campaign',
  startDate: '2027-01-11',
  dueDate: '2027-04-30',
  stages: [
    { name: 'Ideas', category: 'backlog' },
    { name: 'At work', category: 'active' },
    { name: 'Published', category: 'done' },
  ],
}

const newTask = {
  title: 'Call the printer',
  priority: 'high',
  dueDate: '2026-12-01',
  estimateSeconds: 1_800,
  tags: ['phone'],
}
