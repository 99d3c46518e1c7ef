// GET /projects/:projectId/boards

import { flag } from '../lists/filters.ts'
import { listOf, ofProject } from '../lists/list.ts'
import rows from '../../sql/boards/boards.sql'

export const listBoards = listOf({
  rows,
  sorts: { position: 'integer', name: 'text' },
  defaultSort: 'position',
  filters: { archived: flag },
  scope: ofProject,
})
