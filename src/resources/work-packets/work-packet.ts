// Defines the response schema of work packets.

import * as v from 'valibot'
import { archived, boardName } from '../boards/board.ts'
import { stageCategory, stageName, stagePosition } from '../boards/stage.ts'
import { fileFields } from '../comments/comment.ts'
import { document } from '../documents/document.ts'
import { projectKey, projectName, projectStatus } from '../projects/project.ts'
import { count, described, id, listUpTo, moment, named } from '../../api/schema/response-schemas.ts'
import {
  completedAt,
  tags,
  taskFields,
  taskNumber,
  taskState,
  taskTitle,
  taskVersion,
  watchers,
} from '../tasks/task.ts'
import { historyChange } from './history.ts'

const maxItems = 50
const truncated = described(
  v.boolean(),
  `Whether there are more than ${maxItems}. What is cut off is not in the digest.`,
)

export const packetDigest = v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/))

const subtask = named('Subtask', 'A part of a task.', {
  id,
  number: taskNumber,
  title: taskTitle,
  state: taskState,
  stageId: v.nullable(id),
  assigneeId: v.nullable(id),
  completedAt,
})

export const workPacket = named('WorkPacket', 'All that is stored about a task, from one snapshot of the database.', {
  task: v.object({ ...taskFields, tags, watchers }),
  project: v.object({ id, key: projectKey, name: projectName, status: projectStatus }),
  board: v.nullable(v.object({ id, name: boardName, archived })),
  stage: v.nullable(v.object({ id, name: stageName, category: stageCategory, position: stagePosition })),
  parent: described(
    v.nullable(v.object({ id, number: taskNumber, title: taskTitle, state: taskState })),
    'The task of which this one is a part.',
  ),
  subtasks: v.object({
    total: count,
    completed: count,
    items: described(listUpTo(maxItems, subtask), 'By number.'),
    truncated,
  }),
  comments: v.object({
    total: count,
    lastAt: described(v.nullable(moment), 'When one was last written or edited; `null` without any.'),
  }),
  files: described(listUpTo(maxItems, v.object(fileFields)), 'Of its comments, the newest first.'),
  filesTruncated: truncated,
  documents: described(listUpTo(maxItems, document), 'The last changed first.'),
  documentsTruncated: truncated,
  time: v.object({
    trackedSeconds: described(count, 'Of the entries that have ended.'),
    billableSeconds: described(count, 'Of the entries that have ended.'),
    entries: described(count, 'How many have ended.'),
    running: described(count, 'How many are running; they count in no other figure.'),
  }),
  history: v.object({
    items: described(listUpTo(maxItems, historyChange), 'The last changes, the last one first.'),
    truncated,
  }),
  version: taskVersion,
  digest: described(packetDigest, 'Of the packet without it: the same for the same packet, whoever asks.'),
})
