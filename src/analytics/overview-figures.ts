// What an overview shows.

import * as v from 'valibot'
import { boardName } from '../boards/board.ts'
import { stageCategory } from '../boards/stage.ts'
import { userName } from '../members/user.ts'
import { count, described, id, listUpTo, named } from '../shown.ts'
import { priorities } from '../values.ts'
import { byState, lastActivityAt, overdue, share, sumsOfTime } from './figures.ts'

const stageCounts = named('StageCounts', 'How many tasks are in a stage, or in none.', {
  stageId: described('`null` for the tasks without a stage, which stand at the end if there are any.', v.nullable(id)),
  boardId: v.nullable(id),
  name: v.nullable(boardName),
  category: v.nullable(stageCategory),
  ...byState,
})

const priorityCounts = named('PriorityCounts', 'How many tasks have a priority.', {
  priority: v.picklist(priorities),
  ...byState,
})

const assigneeCounts = named('AssigneeCounts', 'How many tasks are assigned to a user, or to nobody.', {
  assigneeId: described('`null` for the tasks without an assignee.', v.nullable(id)),
  name: v.nullable(userName),
  ...byState,
})

export const overview = named('Overview', 'A project in figures.', {
  tasks: v.object({
    ...byState,
    overdue,
    unassigned: described('Tasks without an assignee, in any state.', count),
  }),
  completionRate: share('Completed tasks of those that are open or completed'),
  byStage: described('Every stage by board and position.', v.array(stageCounts)),
  byPriority: described(
    'Every priority from `none` to `urgent`.',
    v.pipe(v.array(priorityCounts), v.length(priorities.length)),
  ),
  byAssignee: v.object({
    items: described('The assignees with most tasks first.', listUpTo(50, assigneeCounts)),
    other: described(
      'The sums over all assignees that are not among the items.',
      v.object({ assignees: described('How many they are.', count), ...byState }),
    ),
  }),
  counts: described(
    'As many as the lists have.',
    v.object({ boards: count, users: count, teams: count, comments: count, documents: count }),
  ),
  time: v.object({
    ...sumsOfTime.entries,
    estimateSeconds: described('The estimates of all tasks together.', count),
    estimatedTaskSeconds: described('Time tracked on tasks that have an estimate.', count),
  }),
  createdLast7Days: described('Tasks created today or on the six days before it (UTC).', count),
  completedLast7Days: described('Tasks completed today or on the six days before it (UTC).', count),
  lastActivityAt,
})
