// GET /projects/:projectId/documents and GET /projects/:projectId/documents/:documentId
// Metadata: what the database computes from the text of a document, never the text.

import { lines } from '../../api/endpoint.ts'
import { timeFilters, ids, prefix, search } from '../../api/lists/filters.ts'
import { listEndpoint, itemEndpoint, type Resource } from '../../api/lists/list.ts'
import { document } from './document.ts'
import rows from '../../../sql/documents/list-documents.sql'
import documentFields from '../../../sql/documents/document-fields.sql'

export const documents: Resource = {
  rows,
  fragments: { documentFields },
  item: document,
  id: 'd.id',
  sorts: {
    path: ['d.path', 'text', 'unique'],
    updatedAt: ['d.updated_at', 'timestamptz'],
    title: ['lower(d.title) collate "C"', 'text'],
  },
  defaultSort: 'path',
  filters: { taskId: ids, authorId: ids, pathPrefix: prefix, q: search, ...timeFilters },
  scope: 'project',
  hasItems: true,
}

export const listDocuments = listEndpoint(documents, {
  operationId: 'listDocuments',
  tag: 'Documents',
  summary: 'List documents',
  description: lines(
    'What is known of the documents of the project, by path: title, size, words, outline and SHA-256.',
    'The markdown itself is not shown, and `q` does not search it: it searches titles and paths.',
    '',
    'Paths are compared as they are, letter by letter: `pathPrefix=guides/` finds what begins so.',
    'To see whether a text has changed, compare its `sha256`, or its `revision`.',
  ),
})

export const getDocument = itemEndpoint(documents, 'document', 'documentId', {
  operationId: 'getDocument',
  tag: 'Documents',
  summary: 'Get a document',
  description: 'What is known of one document, as the list shows it. Its markdown is not shown.',
})
