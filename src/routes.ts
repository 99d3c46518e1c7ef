// Lists all routes of the API, below /api/external/v1.

import { getKey } from './resources/keys/get-key.ts'
import { getOverview } from './resources/analytics/get-overview.ts'
import { getProgress } from './resources/analytics/get-progress.ts'
import { getTimeReport } from './resources/analytics/get-time-report.ts'
import { listBoards } from './resources/boards/list-boards.ts'
import { listStages } from './resources/boards/list-stages.ts'
import { listChanges, listChangesAcrossProjects } from './resources/changes/list-changes.ts'
import { listComments, getComment } from './resources/comments/list-comments.ts'
import { getFile, listFiles } from './resources/files/list-files.ts'
import { listDocuments, getDocument } from './resources/documents/list-documents.ts'
import type { Route } from './api/router.ts'
import { listTeams } from './resources/people/list-teams.ts'
import { listUsers } from './resources/people/list-users.ts'
import { createProject } from './resources/projects/create-project.ts'
import { listProjects, getProject } from './resources/projects/list-projects.ts'
import { summarizeProjects } from './resources/projects/summarize-projects.ts'
import { completeTask } from './resources/tasks/complete-task.ts'
import { createTask } from './resources/tasks/create-task.ts'
import { listTasks, listTasksAcrossProjects, getTask } from './resources/tasks/list-tasks.ts'
import {
  listTimeEntries,
  listTimeEntriesAcrossProjects,
  getTimeEntry,
} from './resources/time-entries/list-time-entries.ts'
import { verifyWorkPacket } from './resources/work-packets/verify-work-packet.ts'
import { verifyWorkPackets } from './resources/work-packets/verify-work-packets.ts'
import { getWorkPacket } from './resources/work-packets/get-work-packet.ts'

// prettier-ignore
export const routes: readonly Route[] = [
  ['GET',  '/key',                                                        getKey],

  ['GET',  '/projects',                                                   listProjects],
  ['POST', '/projects',                                                   createProject],
  ['GET',  '/projects/summary',                                           summarizeProjects],
  ['GET',  '/projects/:projectId',                                        getProject],

  ['GET',  '/tasks',                                                      listTasksAcrossProjects],
  ['GET',  '/time-entries',                                               listTimeEntriesAcrossProjects],
  ['GET',  '/changes',                                                    listChangesAcrossProjects],

  ['GET',  '/projects/:projectId/users',                                  listUsers],
  ['GET',  '/projects/:projectId/teams',                                  listTeams],
  ['GET',  '/projects/:projectId/boards',                                 listBoards],
  ['GET',  '/projects/:projectId/stages',                                 listStages],

  ['GET',  '/projects/:projectId/tasks',                                  listTasks],
  ['POST', '/projects/:projectId/tasks',                                  createTask],
  ['GET',  '/projects/:projectId/tasks/:taskId',                          getTask],
  ['POST', '/projects/:projectId/tasks/:taskId/complete',                 completeTask],
  ['GET',  '/projects/:projectId/tasks/:taskId/work-packet',              getWorkPacket],
  ['GET',  '/projects/:projectId/tasks/:taskId/work-packet/verification', verifyWorkPacket],
  ['GET',  '/projects/:projectId/work-packets/verification',              verifyWorkPackets],

  ['GET',  '/projects/:projectId/comments',                               listComments],
  ['GET',  '/projects/:projectId/comments/:commentId',                    getComment],
  ['GET',  '/projects/:projectId/files',                                  listFiles],
  ['GET',  '/projects/:projectId/files/:fileId',                          getFile],
  ['GET',  '/projects/:projectId/time-entries',                           listTimeEntries],
  ['GET',  '/projects/:projectId/time-entries/:timeEntryId',              getTimeEntry],
  ['GET',  '/projects/:projectId/documents',                              listDocuments],
  ['GET',  '/projects/:projectId/documents/:documentId',                  getDocument],

  ['GET',  '/projects/:projectId/changes',                                listChanges],

  ['GET',  '/projects/:projectId/analytics/overview',                     getOverview],
  ['GET',  '/projects/:projectId/analytics/progress',                     getProgress],
  ['GET',  '/projects/:projectId/analytics/time',                         getTimeReport],
]
