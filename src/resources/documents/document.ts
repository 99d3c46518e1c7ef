// Defines the response schema of documents: metadata that the database computes from the markdown, never the markdown.

import * as v from 'valibot'
import { described, id, moment, named, positive, sha256, text, whole } from '../../api/schema/response-schemas.ts'

const heading = named('Heading', 'A heading of a document.', {
  level: whole(1, 6),
  text: v.pipe(v.string(), v.minLength(1)),
})
const size = whole(0, 2_147_483_647)

export const document = named('Document', 'What is known of a document. Its markdown is not shown.', {
  id,
  path: described(text(1, 1_000), 'Unique in the project.'),
  title: text(1, 500),
  taskId: described(v.nullable(id), 'The task that it belongs to.'),
  authorId: v.nullable(id),
  sizeBytes: described(size, 'Of its markdown in UTF-8.'),
  wordCount: size,
  headings: described(v.array(heading), 'Its outline, from top to bottom.'),
  sha256: described(sha256, 'Of its markdown in UTF-8.'),
  revision: described(positive, 'Counts the changes of its markdown.'),
  createdAt: moment,
  updatedAt: moment,
})
