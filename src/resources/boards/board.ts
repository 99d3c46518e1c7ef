// Defines the response schema of boards.

import * as v from 'valibot'
import { count, described, id, moment, named, position, text } from '../../api/responses/response-schemas.ts'

export const boardName = text(1, 200)
export const archived = described(
  v.boolean(),
  'New tasks are not placed on an archived board unless the request names one of its stages.',
)

export const board = named('Board', 'A board, whose stages are columns of tasks.', {
  id,
  projectId: id,
  name: boardName,
  description: v.nullable(text(0, 20_000)),
  position: described(position, 'Determines the order of boards. Several boards can have the same position.'),
  archived,
  createdAt: moment,
  updatedAt: moment,
  stageCount: count,
})
