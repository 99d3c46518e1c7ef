// Defines the response schema of the overview.

import * as v from 'valibot'
import { boardName } from '../boards/board.ts'
import { stageCategory } from '../boards/stage.ts'
import { userName } from '../members/user.ts'
import { count, described, id, listUpTo, named, ordinal } from '../../api/schema/response-schemas.ts'
import { priorities } from '../../api/schema/values.ts'
import { countsByState, lastActivityAt, overdue, share, timeSums } from './figures.ts'

const stageCounts = named('StageCounts', 'How many tasks are in a stage, or in none.', {
  stageId: described(v.nullable(id), '`null` for the tasks without a stage, which stand at the end if there are any.'),
  boardId: v.nullable(id),
  name: v.nullable(boardName),
  category: v.nullable(stageCategory),
  ...countsByState,
})

const priorityCounts = named('PriorityCounts', 'How many tasks have a priority.', {
  priority: v.picklist(priorities),
  ...countsByState,
})

const assigneeCounts = named('AssigneeCounts', 'How many tasks are assigned to a user, or to nobody.', {
  assigneeId: described(v.nullable(id), '`null` for the tasks without an assignee.'),
  name: v.nullable(userName),
  ...countsByState,
  // Users without tasks are not listed.
  total: ordinal,
})

export const overview = named('Overview', 'A project in figures.', {
  tasks: v.object({
    ...countsByState,
    overdue,
    unassigned: described(count, 'Tasks without an assignee, in any state.'),
  }),
  completionRate: share('Completed tasks of those that are open or completed'),
  byStage: described(v.array(stageCounts), 'Every stage by board and position.'),
  byPriority: described(
    v.pipe(v.array(priorityCounts), v.length(priorities.length)),
    'Every priority from `none` to `urgent`.',
  ),
  byAssignee: v.object({
    items: described(listUpTo(50, assigneeCounts), 'The assignees with most tasks first.'),
    other: described(
      v.object({ assignees: described(count, 'How many they are.'), ...countsByState }),
      'The sums over all assignees that are not among the items.',
    ),
  }),
  counts: described(
    v.object({ boards: count, users: count, teams: count, comments: count, documents: count }),
    'As many as the lists have.',
  ),
  time: v.object({
    ...timeSums.entries,
    estimateSeconds: described(count, 'The estimates of all tasks together.'),
    estimatedTaskSeconds: described(count, 'Time tracked on tasks that have an estimate.'),
  }),
  createdLast7Days: described(count, 'Tasks created today or on the six days before it (UTC).'),
  completedLast7Days: described(count, 'Tasks completed today or on the six days before it (UTC).'),
  lastActivityAt,
})
