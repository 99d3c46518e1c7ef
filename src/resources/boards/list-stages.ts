// GET /projects/:projectId/stages

import { lines } from '../../api/endpoint.ts'
import { choice, ids } from '../../api/lists/filters.ts'
import { listEndpoint } from '../../api/lists/list.ts'
import type { ListDefinition } from '../../api/lists/page-query.ts'
import { include } from '../../db/statements/template.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { stageCategories } from '../../api/input/values.ts'
import { stage } from './stage.ts'
import rows from '../../../sql/boards/list-stages.sql'
import stageFields from '../../../sql/boards/stage-fields.sql'

export const stages: ListDefinition = {
  of: 'project',
  rows: include(rows, { stageFields }),
  item: stage,
  id: 's.id',
  sorts: { position: ['s.position', 'integer'] },
  defaultSort: 'position',
  filters: {
    boardId: described(ids, 'Stages of any of these boards.'),
    category: described(choice(stageCategories), 'The phase of work that the stage represents.'),
  },
  indexes: { position: [] },
}

export const listStages = listEndpoint(stages, {
  operationId: 'listStages',
  tag: 'Boards',
  summary: 'List stages',
  description: lines(
    'Returns the stages of all boards of a project, sorted by position. Positions are relative to the board, so use',
    '`boardId` to get the columns of one board from left to right.',
  ),
})
