// GET /projects/:projectId/boards

import { flag } from '../../api/lists/filters.ts'
import { listOf, projectScope, type Resource } from '../../api/lists/list.ts'
import { board } from './board.ts'
import rows from '../../../sql/boards/list-boards.sql'

export const boards: Resource = {
  rows,
  item: board,
  sorts: { position: 'integer', name: 'text' },
  defaultSort: 'position',
  filters: { archived: flag },
  scope: projectScope,
}

export const listBoards = listOf(boards, {
  operationId: 'listBoards',
  summary: 'List boards',
  description: 'The boards of the project in their order, archived ones among them. Their columns are the stages.',
})
