// Documents links: the operations that can follow a response, and the values that they take from it.

import type { Endpoint } from '../api/endpoint.ts'
import type { Route } from '../api/router.ts'

interface Link {
  operationId: string
  description: string
  /** Runtime expressions by the name of the parameter. */
  parameters: Record<string, string>
}

type Links = Record<string, Link>

const data = '$response.body#/data'
const theProject = { projectId: `${data}/id` }
const theTask = { projectId: `${data}/projectId`, taskId: `${data}/id` }
const itsVersion = { state: `${data}/state`, minVersion: `${data}/version` }

const projectLinks: Links = {
  getProject: link('getProject', 'The project.', theProject),
  listTasks: link('listTasks', 'The tasks of the project.', theProject),
  listStages: link('listStages', 'The stages in which its tasks can be created.', theProject),
  createTask: link('createTask', 'Creates a task in the project.', theProject),
}

const taskLinks: Links = {
  getTask: link('getTask', 'The task.', theTask),
  completeTask: link('completeTask', 'Completes the task if it has not changed since this response.', {
    ...theTask,
    'If-Match': '$response.header.ETag',
  }),
  getWorkPacket: link('getWorkPacket', 'Everything that is stored about the task.', theTask),
  verifyWorkPacket: link('verifyWorkPacket', 'Verifies that the task was committed in this state.', {
    ...theTask,
    ...itsVersion,
  }),
}

const linksById: Record<string, Links> = {
  createProject: projectLinks,
  getProject: without('getProject', projectLinks),
  createTask: taskLinks,
  getTask: without('getTask', taskLinks),
  completeTask: without('completeTask', taskLinks),
  getWorkPacket: {
    verifyWorkPacket: link('verifyWorkPacket', 'Verifies that the work packet has not changed.', {
      projectId: '$request.path.projectId',
      taskId: '$request.path.taskId',
      digest: `${data}/digest`,
    }),
  },
  listProjects: { getProject: link('getProject', 'The first project.', { projectId: `${data}/0/id` }) },
  listTasks: { getTask: firstItem('getTask', 'task', 'taskId') },
  listComments: { getComment: firstItem('getComment', 'comment', 'commentId') },
  listTimeEntries: { getTimeEntry: firstItem('getTimeEntry', 'time entry', 'timeEntryId') },
  listDocuments: { getDocument: firstItem('getDocument', 'document', 'documentId') },
}

/** Returns the links of the successful response. */
export function linksOf([, path, endpoint]: Route): Links {
  return { ...linksById[endpoint.docs.operationId], ...nextPage(path, endpoint) }
}

/** A cursor belongs to the filters and to the sort, so they are repeated, and the optional fields are too. */
function nextPage(path: string, { query, docs }: Endpoint): Links {
  if (!('cursor' in query.entries)) return {}
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, `$request.path.${name}`])
  const inQuery = Object.keys(query.entries).map((name) => [name, `$request.query.${name}`])
  const parameters = Object.fromEntries([...inPath, ...inQuery])
  const description = 'The next page, if `nextCursor` is not `null`. Parameters that this request lacks are omitted.'
  return {
    nextPage: link(docs.operationId, description, { ...parameters, cursor: '$response.body#/meta/nextCursor' }),
  }
}

function firstItem(operationId: string, what: string, idName: string): Link {
  return link(operationId, `The first ${what}.`, { projectId: '$request.path.projectId', [idName]: `${data}/0/id` })
}

function link(operationId: string, description: string, parameters: Link['parameters']): Link {
  return { operationId, description, parameters }
}

function without(name: string, links: Links): Links {
  return Object.fromEntries(Object.entries(links).filter(([other]) => other !== name))
}
