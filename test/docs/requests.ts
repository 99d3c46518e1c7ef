// A request for each operation on the demo data. Project lists need an entry only if they need parameters.

import { demoIds } from '../../src/docs/parameters.ts'
import { projectLists } from '../support/lists.ts'

export interface Request {
  path: string
  body?: object
}

const { projectId, taskId, commentId, fileId, timeEntryId, documentId } = demoIds
const here = `/projects/${projectId}`
const task = `${here}/tasks/${taskId}`
const packet = `${task}/work-packet`

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
  assigneeId: demoIds.assigneeId,
}

export const requests: Readonly<Record<string, Request>> = {
  ...Object.fromEntries(
    projectLists.map(({ path, operationId }) => [
      operationId,
      { path: `${path.replace('/projects/:projectId', here)}?limit=2` },
    ]),
  ),
  getKey: { path: '/key' },
  listProjects: { path: '/projects?sort=name&limit=2' },
  summarizeProjects: { path: '/projects/summary?limit=2' },
  getProject: { path: here },
  listTasksAcrossProjects: { path: '/tasks?state=open&sort=dueDate&limit=2' },
  listTimeEntriesAcrossProjects: { path: '/time-entries?limit=2' },
  listChangesAcrossProjects: { path: '/changes?kinds=project&limit=2' },
  listTasks: { path: `${here}/tasks?include=tags,watchers&limit=2` },
  getTask: { path: `${task}?include=tags,watchers` },
  getWorkPacket: { path: packet },
  verifyWorkPacket: { path: `${packet}/verification?state=completed&minVersion=1` },
  verifyWorkPackets: { path: `${here}/work-packets/verification?taskIds=WEB-1,WEB-5&state=completed&minVerified=1` },
  listComments: { path: `${here}/comments?hasFiles=true&include=files&limit=2` },
  getComment: { path: `${here}/comments/${commentId}` },
  getFile: { path: `${here}/files/${fileId}` },
  getTimeEntry: { path: `${here}/time-entries/${timeEntryId}` },
  getDocument: { path: `${here}/documents/${documentId}` },
  getOverview: { path: `${here}/analytics/overview` },
  getProgress: { path: `${here}/analytics/progress?from=2026-08-01&to=2026-11-21&interval=month` },
  getTimeReport: { path: `${here}/analytics/time?from=2026-10-26&to=2026-11-21` },
  createProject: { path: '/projects', body: newProject },
  createTask: { path: `${here}/tasks`, body: newTask },
  completeTask: { path: `${task}/complete` },
}
