// GET /projects/:projectId/boards

import { flag } from '../../api/lists/filters.ts'
import { listEndpoint } from '../../api/lists/list.ts'
import type { ListDefinition } from '../../api/lists/page-query.ts'
import { include } from '../../db/statements/template.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { board } from './board.ts'
import boardFields from '../../../sql/boards/board-fields.sql'
import rows from '../../../sql/boards/list-boards.sql'

export const boards: ListDefinition = {
  of: 'project',
  rows: include(rows, { boardFields }),
  item: board,
  id: 'b.id',
  sorts: {
    position: ['b.position', 'integer'],
    name: ['lower(b.name) collate "C"', 'text'],
  },
  defaultSort: 'position',
  filters: { archived: described(flag, '`true`: archived boards; `false`: all other boards.') },
  indexes: { position: [], name: [] },
}

export const listBoards = listEndpoint(boards, {
  operationId: 'listBoards',
  tag: 'Boards',
  summary: 'List boards',
  description:
    'Returns the boards of a project, including archived ones, sorted by position. Their columns are the stages.',
})
