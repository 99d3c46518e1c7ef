// What a work packet shows.

import * as v from 'valibot'
import { archived, boardName } from '../boards/board.ts'
import { stageCategory, stageName, stagePosition } from '../boards/stage.ts'
import { fileFields } from '../comments/comment.ts'
import { document } from '../documents/document.ts'
import { projectKey, projectName, projectStatus } from '../projects/project.ts'
import { count, described, id, listUpTo, moment, named } from '../shown.ts'
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

const most = 50
const truncated = described(`Whether there are more than ${most}. What is cut off is not in the digest.`, v.boolean())

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
    'The task of which this one is a part.',
    v.nullable(v.object({ id, number: taskNumber, title: taskTitle, state: taskState })),
  ),
  subtasks: v.object({
    total: count,
    completed: count,
    items: described('By number.', listUpTo(most, subtask)),
    truncated,
  }),
  comments: v.object({
    total: count,
    lastAt: described('When one was last written or edited; `null` without any.', v.nullable(moment)),
  }),
  files: described('Of its comments, the newest first.', listUpTo(most, v.object(fileFields))),
  filesTruncated: truncated,
  documents: described('The last changed first.', listUpTo(most, document)),
  documentsTruncated: truncated,
  time: v.object({
    trackedSeconds: described('Of the entries that have ended.', count),
    billableSeconds: described('Of the entries that have ended.', count),
    entries: described('How many have ended.', count),
    running: described('How many are running; they count in no other figure.', count),
  }),
  history: v.object({
    items: described('The last changes, the last one first.', listUpTo(most, historyChange)),
    truncated,
  }),
  version: taskVersion,
  digest: described('Of the packet without it: the same for the same packet, whoever asks.', packetDigest),
})
