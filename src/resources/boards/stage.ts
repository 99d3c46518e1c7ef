// Defines the response schema of stages.

import * as v from 'valibot'
import { count, described, id, moment, named, position, positive, text } from '../../api/schema/response-schemas.ts'
import { stageCategories } from '../../api/schema/values.ts'

export const stageName = text(1, 200)
export const stagePosition = described(position, 'Stages stand in this order; several may have the same.')
export const stageCategory = described(
  v.picklist(stageCategories),
  'What it means for a task to be here. Completing a task moves it to the first `done` stage of its board.',
)

export const stage = named('Stage', 'A column of a board.', {
  id,
  boardId: id,
  name: stageName,
  position: stagePosition,
  category: stageCategory,
  wipLimit: described(v.nullable(positive), 'How many tasks should be here at most. Nothing enforces it.'),
  taskCount: described(count, 'How many tasks are here, in any state.'),
  createdAt: moment,
  updatedAt: moment,
})
