// GET /projects/:projectId/comments and GET /projects/:projectId/comments/:commentId

import { lines } from '../../api/endpoint.ts'
import { include } from '../../db/statements/template.ts'
import { timeFilters, flag, ids, search, tasks } from '../../api/lists/filters.ts'
import { listEndpoint, itemEndpoint } from '../../api/lists/list.ts'
import type { ListDefinition } from '../../api/lists/page-query.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { comment } from './comment.ts'
import namedTask from '../../../sql/tasks/named-task.sql'
import commentFields from '../../../sql/comments/comment-fields.sql'
import commentFiles from '../../../sql/comments/comment-files.sql'
import rows from '../../../sql/comments/list-comments.sql'

export const comments: ListDefinition = {
  of: 'project',
  rows: include(rows, { commentFields, commentFiles, namedTask, project: ':projectId::uuid' }),
  item: comment,
  id: 'c.id',
  sorts: {
    createdAt: ['c.created_at', 'timestamptz'],
    updatedAt: ['c.updated_at', 'timestamptz'],
  },
  defaultSort: '-createdAt',
  filters: {
    taskId: described(tasks, 'Comments on any of these tasks, by id, number or reference.'),
    authorId: described(ids, 'Comments by any of these users.'),
    hasFiles: described(flag, '`true`: comments with files; `false`: comments without files.'),
    q: search,
    ...timeFilters,
  },
  includes: ['files'],
  indexes: {
    createdAt: ['taskId', 'authorId'],
    updatedAt: [],
  },
}

export const listComments = listEndpoint(comments, {
  operationId: 'listComments',
  tag: 'Comments',
  summary: 'List comments',
  description: lines(
    'Returns the comments on the tasks of a project, newest first.',
    '',
    '`taskId` selects the comments on a task, `hasFiles=true` the comments with files, and `q` searches their text.',
    'With `include=files`, each comment contains the metadata of its files. Their content is stored elsewhere, at',
    '`url`.',
  ),
})

export const getComment = itemEndpoint(comments, 'comment', 'commentId', {
  operationId: 'getComment',
  tag: 'Comments',
  summary: 'Get a comment',
  description: 'Returns one comment, as in the list. `include=files` adds the metadata of its files, oldest first.',
})
