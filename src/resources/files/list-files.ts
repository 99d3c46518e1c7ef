// GET /projects/:projectId/files and GET /projects/:projectId/files/:fileId

import { lines } from '../../api/endpoint.ts'
import { include } from '../../db/statements/template.ts'
import { timeFilters, ids, idsOrNone, tasks } from '../../api/lists/filters.ts'
import { listEndpoint, itemEndpoint } from '../../api/lists/list.ts'
import type { ListDefinition } from '../../api/lists/page-query.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { taskFile } from './task-file.ts'
import namedTask from '../../../sql/tasks/named-task.sql'
import fileFields from '../../../sql/files/file-fields.sql'
import rows from '../../../sql/files/list-files.sql'

export const files: ListDefinition = {
  of: 'project',
  rows: include(rows, { fileFields, namedTask, project: ':projectId::uuid' }),
  item: taskFile,
  id: 'f.id',
  sorts: {
    createdAt: ['f.created_at', 'timestamptz'],
    updatedAt: ['f.updated_at', 'timestamptz'],
  },
  defaultSort: '-createdAt',
  filters: {
    taskId: described(tasks, 'Files of any of these tasks and of their comments, by id, number or reference.'),
    commentId: described(idsOrNone, 'Files of any of these comments, or `none` for files of tasks themselves.'),
    creatorId: described(ids, 'Files that any of these users attached.'),
    ...timeFilters,
  },
  indexes: {
    createdAt: ['taskId', 'commentId', 'creatorId'],
    updatedAt: [],
  },
}

export const listFiles = listEndpoint(files, {
  operationId: 'listFiles',
  tag: 'Files',
  summary: 'List files',
  description: lines(
    'Returns the metadata of the files of a project, newest first: those of its tasks and of their comments.',
    '',
    '`taskId` selects the files of a task, including those of its comments; with `commentId=none`, only those attached',
    'to the task itself. The content is stored elsewhere, at `url`.',
  ),
})

export const getFile = itemEndpoint(files, 'file', 'fileId', {
  operationId: 'getFile',
  tag: 'Files',
  summary: 'Get a file',
  description: 'Returns the metadata of one file, as in the list.',
})
