// Defines the response schema of work packets.

import * as v from 'valibot'
import { archived, boardName } from '../boards/board.ts'
import { stageCategory, stageName, stagePosition } from '../boards/stage.ts'
import { fileFields } from '../comments/comment.ts'
import { document } from '../documents/document.ts'
import { sizeBytes } from '../files/task-file.ts'
import { projectKey, projectName, projectStatus } from '../projects/project.ts'
import { count, described, id, listUpTo, moment, named } from '../../api/responses/response-schemas.ts'
import {
  completedAt,
  tags,
  taskFields,
  taskNumber,
  taskReference,
  taskState,
  taskTitle,
  taskVersion,
  watchers,
} from '../tasks/task.ts'
import { historyChange } from './history.ts'

const maxItems = 50
const truncated = described(
  v.boolean(),
  `True if there are more than ${maxItems}. Omitted items are not part of the digest.`,
)

export const packetDigest = v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/))

const subtask = named('Subtask', 'A subtask of a task.', {
  id,
  number: taskNumber,
  reference: taskReference,
  title: taskTitle,
  state: taskState,
  stageId: v.nullable(id),
  assigneeId: v.nullable(id),
  completedAt,
})

export const workPacket = named(
  'WorkPacket',
  'Everything that is stored about a task, from one snapshot of the database.',
  {
    task: v.object({ ...taskFields, tags, watchers }),
    project: v.object({ id, key: projectKey, name: projectName, status: projectStatus }),
    board: v.nullable(v.object({ id, name: boardName, archived })),
    stage: v.nullable(v.object({ id, name: stageName, category: stageCategory, position: stagePosition })),
    parent: described(
      v.nullable(v.object({ id, number: taskNumber, reference: taskReference, title: taskTitle, state: taskState })),
      'The parent task.',
    ),
    subtasks: v.object({
      total: count,
      completed: count,
      items: described(listUpTo(maxItems, subtask), 'Sorted by number.'),
      truncated,
    }),
    comments: v.object({
      total: count,
      lastAt: described(v.nullable(moment), 'When a comment was last created or edited; `null` if there are none.'),
    }),
    files: described(
      listUpTo(maxItems, v.object({ name: fileFields.name, sizeBytes, sha256: fileFields.sha256 })),
      'The files of the task and of its comments, newest first.',
    ),
    filesTruncated: truncated,
    documents: described(listUpTo(maxItems, document), 'Most recently changed first.'),
    documentsTruncated: truncated,
    time: v.object({
      trackedSeconds: described(count, 'The tracked time of the entries that have ended.'),
      billableSeconds: described(count, 'The billable time of the entries that have ended.'),
      entries: described(count, 'The number of entries that have ended.'),
      running: described(count, 'The number of running entries. They count in no other figure.'),
    }),
    history: v.object({
      items: described(listUpTo(maxItems, historyChange), 'The last changes, newest first.'),
      truncated,
    }),
    version: taskVersion,
    digest: described(
      packetDigest,
      'The digest of the packet without this field. Equal packets have equal digests for all keys.',
    ),
  },
)
