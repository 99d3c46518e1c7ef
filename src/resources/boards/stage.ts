// Defines the response schema of stages.

import * as v from 'valibot'
import { count, described, id, moment, named, position, positive, text } from '../../api/responses/response-schemas.ts'
import { stageCategories } from '../../api/input/values.ts'

export const stageName = text(1, 200)
export const stagePosition = described(
  position,
  'Determines the order of stages. Several stages can have the same position.',
)
export const stageCategory = described(
  v.picklist(stageCategories),
  'The phase of work that the stage represents. Completing a task moves it to the first `done` stage of its board.',
)

export const stage = named('Stage', 'A column of a board.', {
  id,
  projectId: id,
  boardId: id,
  name: stageName,
  position: stagePosition,
  category: stageCategory,
  wipLimit: described(v.nullable(positive), 'The intended maximum number of tasks in the stage. It is not enforced.'),
  createdAt: moment,
  updatedAt: moment,
  taskCount: described(count, 'The number of tasks in the stage, in any state.'),
})
