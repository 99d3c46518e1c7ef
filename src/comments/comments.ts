// GET /projects/:projectId/comments and GET /projects/:projectId/comments/:commentId

import { changed, described, flag, ids, search } from '../lists/filters.ts'
import { listOf, ofProject, oneOf, type Resource } from '../lists/list.ts'
import rows from '../../sql/comments/comments.sql'

const comments: Resource = {
  rows,
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

export const listComments = listOf(comments)
export const showComment = oneOf(comments, 'comment', 'commentId')
