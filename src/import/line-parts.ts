// Parts of statements: the lines of an export, by kind.

import { taskJson } from '../resources/tasks/task-json.ts'
import { include } from '../db/statements/template.ts'
import commentFields from '../../sql/comments/comment-fields.sql'
import commentLineFields from '../../sql/export/comment-line-fields.sql'
import documentLineFields from '../../sql/export/document-line-fields.sql'
import fileLineFields from '../../sql/export/file-line-fields.sql'
import taskLine from '../../sql/export/task-line.sql'
import timeEntryLineFields from '../../sql/export/time-entry-line-fields.sql'

export const lineParts = {
  taskLine,
  taskJson: include(taskJson, { project: 't.project_id' }),
  commentLineFields,
  commentFields,
  fileLineFields,
  timeEntryLineFields,
  documentLineFields,
}
