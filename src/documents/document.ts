// A document, as answers show one: what the database computes from its markdown, never the markdown.

import * as v from 'valibot'
import { described, id, moment, named, positive, sha256, text, whole } from '../shown.ts'

const heading = named('Heading', 'A heading of a document.', {
  level: whole(1, 6),
  text: v.pipe(v.string(), v.minLength(1)),
})
const size = whole(0, 2_147_483_647)

export const document = named('Document', 'What is known of a document. Its markdown is not shown.', {
  id,
  path: described('Unique in the project.', text(1, 1_000)),
  title: text(1, 500),
  taskId: described('The task that it belongs to.', v.nullable(id)),
  authorId: v.nullable(id),
  sizeBytes: described('Of its markdown in UTF-8.', size),
  wordCount: size,
  headings: described('Its outline, from top to bottom.', v.array(heading)),
  sha256: described('Of its markdown in UTF-8.', sha256),
  revision: described('Counts the changes of its markdown.', positive),
  createdAt: moment,
  updatedAt: moment,
})
