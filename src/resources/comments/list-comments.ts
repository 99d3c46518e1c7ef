// GET /projects/:projectId/comments and GET /projects/:projectId/comments/:commentId

import { lines } from '../../api/endpoint.ts'
import { timeFilters, flag, ids, search } from '../../api/lists/filters.ts'
import { listEndpoint, itemEndpoint, type Resource } from '../../api/lists/list.ts'
import { described } from '../../api/schema/response-schemas.ts'
import { comment } from './comment.ts'
import rows from '../../../sql/comments/list-comments.sql'

export const comments: Resource = {
  rows,
  item: comment,
  id: 'c.id',
  sorts: {
    createdAt: ['c.created_at', 'timestamptz'],
    updatedAt: ['c.updated_at', 'timestamptz'],
  },
  defaultSort: '-createdAt',
  filters: {
    taskId: ids,
    authorId: ids,
    hasFiles: described(flag, 'Comments with files, or those without.'),
    q: search,
    ...timeFilters,
  },
  includes: ['files'],
  scope: 'project',
  hasItems: true,
}

export const listComments = listEndpoint(comments, {
  operationId: 'listComments',
  tag: 'Comments',
  summary: 'List comments',
  description: lines(
    'The comments on the tasks of the project, the newest first.',
    '',
    '`taskId` finds those on one task, `hasFiles=true` those with files, and `q` searches their text.',
    'With `include=files` each comment shows what is known of its files. Their bytes are kept elsewhere, under `url`.',
  ),
})

export const getComment = itemEndpoint(comments, 'comment', 'commentId', {
  operationId: 'getComment',
  tag: 'Comments',
  summary: 'Get a comment',
  description: 'One comment, as the list shows it; with `include=files` its files go with it, the oldest first.',
})
