// Defines the response schema of files.

import * as v from 'valibot'
import { fileFields } from '../comments/comment.ts'
import { described, id, moment, named } from '../../api/responses/response-schemas.ts'

export const sizeBytes = described(
  v.nullable(fileFields.sizeBytes),
  '`null` if it is not known, which is possible only for files of a task itself.',
)

export const taskFile = named(
  'TaskFile',
  'The metadata of a file of a task or of one of its comments. The content is stored elsewhere.',
  {
    id,
    projectId: id,
    taskId: id,
    commentId: described(v.nullable(id), '`null` if the file is attached to the task itself.'),
    creatorId: described(v.nullable(id), 'The user who attached the file; `null` if it is not known.'),
    name: fileFields.name,
    mimeType: fileFields.mimeType,
    sizeBytes,
    sha256: fileFields.sha256,
    url: fileFields.url,
    createdAt: moment,
    updatedAt: moment,
  },
)
