// Defines the response schema of the overview.

import * as v from 'valibot'
import { boardName } from '../boards/board.ts'
import { stageCategory } from '../boards/stage.ts'
import { userName } from '../people/user.ts'
import { count, described, extensible, id, listUpTo, named } from '../../api/responses/response-schemas.ts'
import { fieldNamePattern } from '../../api/input/object-names.ts'
import { fieldTypes, priorities } from '../../api/input/values.ts'
import {
  amount,
  amountsByState,
  lastActivityAt,
  measure,
  measuredProgress,
  overdueAmount,
  timeSums,
} from './figures.ts'

const stageCounts = named('StageCounts', 'The number of tasks in a stage, or without a stage.', {
  stageId: described(
    v.nullable(id),
    '`null` for tasks without a stage. This entry is present only if there are such tasks, and comes last.',
  ),
  boardId: v.nullable(id),
  name: v.nullable(boardName),
  category: v.nullable(stageCategory),
  ...amountsByState,
})

const priorityCounts = named('PriorityCounts', 'The number of tasks with a priority.', {
  priority: v.picklist(priorities),
  ...amountsByState,
})

const assigneeCounts = named('AssigneeCounts', 'The number of tasks assigned to a user, or of unassigned tasks.', {
  assigneeId: described(v.nullable(id), '`null` for tasks without an assignee.'),
  name: v.nullable(userName),
  ...amountsByState,
  overdue: overdueAmount,
})

const typeCounts = named('TypeCounts', 'The number of tasks of a type, or of tasks without one.', {
  type: described(v.nullable(v.string()), '`null` for tasks without a type.'),
  ...amountsByState,
})

const field = named('Field', 'An own field that tasks of the project can have.', {
  name: v.pipe(v.string(), v.regex(fieldNamePattern), v.examples(['storyPoints'])),
  type: extensible(v.picklist(fieldTypes)),
})

export const overview = named('Overview', 'The figures of a project.', {
  measure,
  fields: described(v.array(field), 'The own fields that tasks of the project can have, sorted by name.'),
  tasks: v.object({
    ...amountsByState,
    overdue: overdueAmount,
    unassigned: described(amount, 'Tasks without an assignee, in any state.'),
  }),
  progress: measuredProgress,
  byStage: described(v.array(stageCounts), 'Every stage, sorted by board and position.'),
  byPriority: described(
    v.pipe(v.array(priorityCounts), v.length(priorities.length)),
    'Every priority, from `none` to `urgent`.',
  ),
  byAssignee: v.object({
    items: described(
      listUpTo(50, assigneeCounts),
      'The assignees with the most tasks, in descending order. A task of several assignees counts for each of them. With `measure`, those of whose sums one is not 0, largest `total` first.',
    ),
    other: described(
      v.object({
        assignees: described(count, 'The number of these assignees.'),
        ...amountsByState,
        overdue: overdueAmount,
      }),
      'The sums over all assignees that are not in `items`.',
    ),
  }),
  byType: v.object({
    items: described(
      listUpTo(50, typeCounts),
      'The types with the most tasks, in descending order; with `measure`, as for assignees.',
    ),
    other: described(
      v.object({ types: described(count, 'The number of these types.'), ...amountsByState }),
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
  createdLast7Days: described(amount, 'Tasks created today or in the six days before (UTC).'),
  completedLast7Days: described(amount, 'Tasks completed today or in the six days before (UTC).'),
  lastActivityAt,
})
