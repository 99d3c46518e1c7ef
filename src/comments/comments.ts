// GET /projects/:projectId/comments and GET /projects/:projectId/comments/:commentId

import { lines } from '../http/endpoint.ts'
import { changed, flag, ids, search } from '../lists/filters.ts'
import { listOf, ofProject, oneOf, type Resource } from '../lists/list.ts'
import { described } from '../shown.ts'
import { comment } from './comment.ts'
import rows from '../../sql/comments/comments.sql'

const comments: Resource = {
  rows,
  item: comment,
  sorts: { createdAt: 'moment', updatedAt: 'moment' },
  defaultSort: '-createdAt',
  filters: {
    taskId: ids,
    authorId: ids,
    hasFiles: described(flag, 'Comments with files, or those without.'),
    q: search,
    ...changed,
  },
  includes: ['files'],
  scope: (input) => ({ ...ofProject(input), id: null }),
}

export const listComments = listOf(comments, {
  operationId: 'listComments',
  summary: 'List comments',
  description: lines(
    'The comments on the tasks of the project, the newest first.',
    '',
    '`taskId` finds those on one task, `hasFiles=true` those with files, and `q` searches their text.',
    'With `include=files` each comment shows what is known of its files. Their bytes are kept elsewhere, under `url`.',
  ),
})

export const showComment = oneOf(comments, 'comment', 'commentId', {
  operationId: 'getComment',
  summary: 'Get a comment',
  description: 'One comment, as the list shows it; with `include=files` its files go with it, the oldest first.',
})
