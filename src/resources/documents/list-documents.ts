// GET /projects/:projectId/documents and GET /projects/:projectId/documents/:documentId
// Returns metadata that the database computes from the text of a document, never the text.

import { lines } from '../../api/endpoint.ts'
import { include } from '../../db/statements/template.ts'
import { timeFilters, ids, prefix, search, tasks } from '../../api/lists/filters.ts'
import { listEndpoint, itemEndpoint } from '../../api/lists/list.ts'
import type { ListDefinition } from '../../api/lists/page-query.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { document } from './document.ts'
import namedTask from '../../../sql/tasks/named-task.sql'
import rows from '../../../sql/documents/list-documents.sql'
import documentFields from '../../../sql/documents/document-fields.sql'

export const documents: ListDefinition = {
  of: 'project',
  rows: include(rows, { documentFields, namedTask, project: ':projectId::uuid' }),
  item: document,
  id: 'd.id',
  sorts: {
    path: ['d.path', 'text', 'unique'],
    updatedAt: ['d.updated_at', 'timestamptz'],
    title: ['lower(d.title) collate "C"', 'text'],
  },
  defaultSort: 'path',
  filters: {
    taskId: described(tasks, 'Documents that belong to any of these tasks, by id, number or reference.'),
    authorId: described(ids, 'Documents by any of these users.'),
    pathPrefix: prefix,
    q: search,
    ...timeFilters,
  },
  indexes: {
    path: ['taskId', 'authorId'],
    updatedAt: [],
    title: [],
  },
}

export const listDocuments = listEndpoint(documents, {
  operationId: 'listDocuments',
  tag: 'Documents',
  summary: 'List documents',
  description: lines(
    'Returns the metadata of the documents of a project, sorted by path: title, size, word count, outline and SHA-256.',
    'The markdown itself is not returned. `q` searches titles and paths, not the markdown.',
    '',
    'Paths are compared exactly, including case: `pathPrefix=guides/` matches every path that starts with `guides/`.',
    'To detect a change to the text of a document, compare `sha256` or `revision`.',
  ),
})

export const getDocument = itemEndpoint(documents, 'document', 'documentId', {
  operationId: 'getDocument',
  tag: 'Documents',
  summary: 'Get a document',
  description: 'Returns the metadata of one document, as in the list. The markdown itself is not returned.',
})
