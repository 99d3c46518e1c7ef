// Defines the response schema of comments and their files.

import * as v from 'valibot'
import { textFormats } from '../../api/input/values.ts'
import { count, described, extensible, id, moment, named, sha256, text } from '../../api/responses/response-schemas.ts'

export const fileFields = {
  id,
  name: text(1, 500),
  mimeType: described(v.pipe(v.string(), v.regex(/^[^/]+\/[^/]+$/)), 'The media type, such as `image/png`.'),
  sizeBytes: count,
  sha256: described(v.nullable(sha256), 'The SHA-256 of the content; `null` if it is not known.'),
  url: described(v.string(), 'The location of the content.'),
  createdAt: moment,
}

const file = named('File', 'The metadata of a file in a comment. The content is stored elsewhere.', fileFields)

export const comment = named('Comment', 'A comment on a task.', {
  id,
  projectId: id,
  taskId: id,
  authorId: v.nullable(id),
  body: text(1, 100_000),
  bodyFormat: described(
    v.nullable(extensible(v.picklist(textFormats))),
    'How the body is marked up, as `descriptionFormat` of tasks.',
  ),
  createdAt: moment,
  updatedAt: moment,
  files: v.optional(described(v.array(file), 'Only with `include=files`. Sorted from oldest to newest.')),
})
