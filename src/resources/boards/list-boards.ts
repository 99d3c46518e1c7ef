// GET /projects/:projectId/boards

import { flag } from '../../api/lists/filters.ts'
import { listOf } from '../../api/lists/list.ts'
import { board } from './board.ts'
import rows from '../../../sql/boards/list-boards.sql'

export const listBoards = listOf(
  {
    rows,
    item: board,
    sorts: { position: 'integer', name: 'text' },
    defaultSort: 'position',
    filters: { archived: flag },
    scope: 'project',
  },
  {
    operationId: 'listBoards',
    tag: 'Boards',
    summary: 'List boards',
    description: 'The boards of the project in their order, archived ones among them. Their columns are the stages.',
  },
)
