// GET /projects/:projectId/teams

import { described, ids, search } from '../lists/filters.ts'
import { listOf, ofProject } from '../lists/list.ts'
import rows from '../../sql/members/teams.sql'

export const listTeams = listOf({
  rows,
  sorts: { name: 'text', createdAt: 'moment' },
  defaultSort: 'name',
  filters: { q: search, userId: described(ids, 'Teams that have these members.') },
  scope: ofProject,
})
