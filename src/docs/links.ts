// Documents links: the operations that can follow a response, and the values that they take from it.

import type { QuerySchema } from '../api/input/query-string.ts'
import type { Route } from '../api/router.ts'

interface Link {
  description: string
  /** Runtime expressions by the name of the parameter. */
  parameters: Record<string, string>
}

/** By the operationId of the operation that can follow. */
type Links = Record<string, Link>

const data = '$response.body#/data'
const theProject = { projectId: `${data}/id` }
const theTask = { projectId: `${data}/projectId`, taskId: `${data}/id` }
const itsVersion = { state: `${data}/state`, minVersion: `${data}/version` }

const projectLinks: Links = {
  getProject: link('The project.', theProject),
  listTasks: link('The tasks of the project.', theProject),
  listStages: link('The stages in which its tasks can be created.', theProject),
  createTask: link('Creates a task in the project.', theProject),
}

const taskLinks: Links = {
  getTask: link('The task.', theTask),
  completeTask: link('Completes the task if it has not changed since this response.', {
    ...theTask,
    'If-Match': '$response.header.ETag',
  }),
  getWorkPacket: link('Everything that is stored about the task.', theTask),
  verifyWorkPacket: link('Verifies that the task was committed in this state.', { ...theTask, ...itsVersion }),
}

const linksById: Record<string, Links> = {
  createProject: projectLinks,
  getProject: projectLinks,
  createTask: taskLinks,
  getTask: taskLinks,
  completeTask: taskLinks,
  getWorkPacket: {
    verifyWorkPacket: link('Verifies that the work packet has not changed.', {
      projectId: '$request.path.projectId',
      taskId: '$request.path.taskId',
      digest: `${data}/digest`,
    }),
  },
  listProjects: { getProject: link('The first project.', { projectId: `${data}/0/id` }) },
  listTasks: { getTask: firstItem('task', 'taskId') },
  listComments: { getComment: firstItem('comment', 'commentId') },
  listFiles: { getFile: firstItem('file', 'fileId') },
  listTimeEntries: { getTimeEntry: firstItem('time entry', 'timeEntryId') },
  listDocuments: { getDocument: firstItem('document', 'documentId') },
}

/** Returns the links of the successful response: none to the same request. */
export function linksOf([, path, { query, docs }]: Route) {
  const others = Object.entries(linksById[docs.operationId] ?? {}).filter(([name]) => name !== docs.operationId)
  return {
    ...Object.fromEntries(others.map(([operationId, link]) => [operationId, { operationId, ...link }])),
    ...('cursor' in query.entries && { nextPage: { operationId: docs.operationId, ...nextPage(path, query) } }),
  }
}

/** A cursor belongs to the filters and to the sort, so they are repeated, and the optional fields are too. */
function nextPage(path: string, { entries }: QuerySchema): Link {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, `$request.path.${name}`])
  // The names of own fields are not known here.
  const names = Object.keys(entries).filter((name) => name !== 'fields')
  const inQuery = names.map((name) => [name, `$request.query.${name}`])
  const parameters = Object.fromEntries([...inPath, ...inQuery, ['cursor', '$response.body#/meta/nextCursor']])
  return link(
    'The next page, if `nextCursor` is not `null`. Parameters that this request lacks are omitted.',
    parameters,
  )
}

function firstItem(what: string, idName: string): Link {
  return link(`The first ${what}.`, { projectId: '$request.path.projectId', [idName]: `${data}/0/id` })
}

function link(description: string, parameters: Link['parameters']): Link {
  return { description, parameters }
}
