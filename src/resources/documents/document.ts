// Defines the response schema of documents: metadata that the database computes from the markdown, never the markdown.

import * as v from 'valibot'
import { described, id, moment, named, positive, sha256, text, whole } from '../../api/responses/response-schemas.ts'

const heading = named('Heading', 'A heading of a document.', {
  level: whole(1, 6),
  text: v.pipe(v.string(), v.minLength(1)),
})
const size = whole(0, 2_147_483_647)

export const document = named('Document', 'The metadata of a document. It does not include the markdown.', {
  id,
  projectId: id,
  path: described(text(1, 1_000), 'Unique within the project.'),
  title: text(1, 500),
  taskId: described(v.nullable(id), 'The task that the document belongs to.'),
  authorId: v.nullable(id),
  sizeBytes: described(size, 'The size of the markdown in UTF-8.'),
  wordCount: size,
  headings: described(v.array(heading), 'The outline of the document, from top to bottom.'),
  sha256: described(sha256, 'The SHA-256 of the markdown in UTF-8.'),
  revision: described(positive, 'Incremented by every change to the markdown.'),
  createdAt: moment,
  updatedAt: moment,
})
