// Defines the response schema of the overview.

import * as v from 'valibot'
import { boardName } from '../boards/board.ts'
import { stageCategory } from '../boards/stage.ts'
import { userName } from '../people/user.ts'
import { count, described, id, listUpTo, named, ordinal } from '../../api/responses/response-schemas.ts'
import { priorities } from '../../api/input/values.ts'
import { countsByState, lastActivityAt, overdue, progress, timeSums } from './figures.ts'

const stageCounts = named('StageCounts', 'The number of tasks in a stage, or without a stage.', {
  stageId: described(
    v.nullable(id),
    '`null` for tasks without a stage. This entry is present only if there are such tasks, and comes last.',
  ),
  boardId: v.nullable(id),
  name: v.nullable(boardName),
  category: v.nullable(stageCategory),
  ...countsByState,
})

const priorityCounts = named('PriorityCounts', 'The number of tasks with a priority.', {
  priority: v.picklist(priorities),
  ...countsByState,
})

const assigneeCounts = named('AssigneeCounts', 'The number of tasks assigned to a user, or of unassigned tasks.', {
  assigneeId: described(v.nullable(id), '`null` for tasks without an assignee.'),
  name: v.nullable(userName),
  ...countsByState,
  overdue,
  // Users without tasks are not listed.
  total: ordinal,
})

const typeCounts = named('TypeCounts', 'The number of tasks of a type, or of tasks without one.', {
  type: described(v.nullable(v.string()), '`null` for tasks without a type.'),
  ...countsByState,
  // Types without tasks are not listed.
  total: ordinal,
})

export const overview = named('Overview', 'The figures of a project.', {
  tasks: v.object({
    ...countsByState,
    overdue,
    unassigned: described(count, 'Tasks without an assignee, in any state.'),
  }),
  progress,
  byStage: described(v.array(stageCounts), 'Every stage, sorted by board and position.'),
  byPriority: described(
    v.pipe(v.array(priorityCounts), v.length(priorities.length)),
    'Every priority, from `none` to `urgent`.',
  ),
  byAssignee: v.object({
    items: described(
      listUpTo(50, assigneeCounts),
      'The assignees with the most tasks, in descending order. A task of several assignees counts for each of them.',
    ),
    other: described(
      v.object({ assignees: described(count, 'The number of these assignees.'), ...countsByState, overdue }),
      'The sums over all assignees that are not in `items`.',
    ),
  }),
  byType: v.object({
    items: described(listUpTo(50, typeCounts), 'The types with the most tasks, in descending order.'),
    other: described(
      v.object({ types: described(count, 'The number of these types.'), ...countsByState }),
      'The sums over all types that are not in `items`.',
    ),
  }),
  counts: described(
    v.object({ boards: count, users: count, teams: count, comments: count, documents: count }),
    'The number of objects in each list.',
  ),
  time: v.object({
    ...timeSums.entries,
    estimateSeconds: described(count, 'The sum of the estimates of all tasks.'),
    estimatedTaskSeconds: described(count, 'Time tracked on tasks that have an estimate.'),
  }),
  createdLast7Days: described(count, 'Tasks created today or in the six days before (UTC).'),
  completedLast7Days: described(count, 'Tasks completed today or in the six days before (UTC).'),
  lastActivityAt,
})
