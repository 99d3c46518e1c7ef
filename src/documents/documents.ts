// GET /projects/:projectId/documents and GET /projects/:projectId/documents/:documentId
// Metadata: what the database computes from the text of a document, never the text.

import { changed, ids, prefix, search } from '../lists/filters.ts'
import { listOf, ofProject, oneOf, type Resource } from '../lists/list.ts'
import rows from '../../sql/documents/documents.sql'

const documents: Resource = {
  rows,
  sorts: { path: 'text', updatedAt: 'moment', title: 'text' },
  defaultSort: 'path',
  filters: { taskId: ids, authorId: ids, pathPrefix: prefix, q: search, ...changed },
  scope: (input) => ({ ...ofProject(input), id: null }),
}

export const listDocuments = listOf(documents)
export const showDocument = oneOf(documents, 'document', 'documentId')
