// The table of contents: every path of the API, below /api/external/v1.

import { showKey } from './access/show-key.ts'
import { showOverview } from './analytics/overview.ts'
import { showProgress } from './analytics/progress.ts'
import { showTime } from './analytics/time.ts'
import { listBoards } from './boards/boards.ts'
import { listStages } from './boards/stages.ts'
import { listComments, showComment } from './comments/comments.ts'
import { listDocuments, showDocument } from './documents/documents.ts'
import type { Endpoint } from './http/endpoint.ts'
import { listTeams } from './members/teams.ts'
import { listUsers } from './members/users.ts'
import { createProject } from './projects/create-project.ts'
import { listProjects, showProject } from './projects/projects.ts'
import { summarizeProjects } from './projects/summary.ts'
import { completeTask } from './tasks/complete-task.ts'
import { createTask } from './tasks/create-task.ts'
import { listTasks, showTask } from './tasks/tasks.ts'
import { listTimeEntries, showTimeEntry } from './time-entries/time-entries.ts'
import { verifyWorkPacket } from './work-packets/verification.ts'
import { showWorkPacket } from './work-packets/work-packet.ts'

export const apiPath = '/api/external/v1'

// prettier-ignore
export const routes: readonly Route[] = [
  ['GET',  '/key',                                                        showKey],

  ['GET',  '/projects',                                                   listProjects],
  ['POST', '/projects',                                                   createProject],
  ['GET',  '/projects/summary',                                           summarizeProjects],
  ['GET',  '/projects/:projectId',                                        showProject],

  ['GET',  '/projects/:projectId/users',                                  listUsers],
  ['GET',  '/projects/:projectId/teams',                                  listTeams],
  ['GET',  '/projects/:projectId/boards',                                 listBoards],
  ['GET',  '/projects/:projectId/stages',                                 listStages],

  ['GET',  '/projects/:projectId/tasks',                                  listTasks],
  ['POST', '/projects/:projectId/tasks',                                  createTask],
  ['GET',  '/projects/:projectId/tasks/:taskId',                          showTask],
  ['POST', '/projects/:projectId/tasks/:taskId/complete',                 completeTask],
  ['GET',  '/projects/:projectId/tasks/:taskId/work-packet',              showWorkPacket],
  ['GET',  '/projects/:projectId/tasks/:taskId/work-packet/verification', verifyWorkPacket],

  ['GET',  '/projects/:projectId/comments',                               listComments],
  ['GET',  '/projects/:projectId/comments/:commentId',                    showComment],
  ['GET',  '/projects/:projectId/time-entries',                           listTimeEntries],
  ['GET',  '/projects/:projectId/time-entries/:timeEntryId',              showTimeEntry],
  ['GET',  '/projects/:projectId/documents',                              listDocuments],
  ['GET',  '/projects/:projectId/documents/:documentId',                  showDocument],

  ['GET',  '/projects/:projectId/analytics/overview',                     showOverview],
  ['GET',  '/projects/:projectId/analytics/progress',                     showProgress],
  ['GET',  '/projects/:projectId/analytics/time',                         showTime],
]

export type Route = readonly [method: 'GET' | 'POST', path: string, endpoint: Endpoint]
