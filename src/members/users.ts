// GET /projects/:projectId/users

import { choice, described, flag, ids, search } from '../lists/filters.ts'
import { listOf, ofProject } from '../lists/list.ts'
import { memberRoles } from '../values.ts'
import rows from '../../sql/members/users.sql'

export const listUsers = listOf({
  rows,
  sorts: { name: 'text', joinedAt: 'moment' },
  defaultSort: 'name',
  filters: { role: choice(memberRoles), active: flag, teamId: described(ids, 'Members of these teams.'), q: search },
  scope: ofProject,
})
