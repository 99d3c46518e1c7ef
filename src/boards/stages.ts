// GET /projects/:projectId/stages

import { choice, ids } from '../lists/filters.ts'
import { listOf, ofProject } from '../lists/list.ts'
import { stageCategories } from '../values.ts'
import rows from '../../sql/boards/stages.sql'

export const listStages = listOf({
  rows,
  sorts: { position: 'integer' },
  defaultSort: 'position',
  filters: { boardId: ids, category: choice(stageCategories) },
  scope: ofProject,
})
