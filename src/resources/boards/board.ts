// Defines the response schema of boards.

import * as v from 'valibot'
import { count, described, id, moment, named, position, text } from '../../api/schema/response-schemas.ts'

export const boardName = text(1, 200)
export const archived = described(
  v.boolean(),
  'Archived boards take no new tasks, unless a request names one of their stages.',
)

export const board = named('Board', 'A board: stages side by side, with tasks in them.', {
  id,
  name: boardName,
  description: v.nullable(text(0, 20_000)),
  position: described(position, 'Boards stand in this order; several may have the same.'),
  archived,
  stageCount: count,
  createdAt: moment,
  updatedAt: moment,
})
