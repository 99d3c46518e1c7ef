// GET /projects/:projectId/users

import { choice, flag, ids, search } from '../lists/filters.ts'
import { listOf, ofProject } from '../lists/list.ts'
import rows from '../../sql/members/users.sql'

export const listUsers = listOf({
  rows,
  sorts: { name: 'text', joinedAt: 'moment' },
  defaultSort: 'name',
  filters: { role: choice(['owner', 'admin', 'member', 'viewer']), active: flag, teamId: ids, q: search },
  scope: ofProject,
})
