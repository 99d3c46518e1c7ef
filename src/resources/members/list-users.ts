// GET /projects/:projectId/users

import { lines } from '../../api/endpoint.ts'
import { choice, flag, ids, search } from '../../api/lists/filters.ts'
import { listEndpoint, type Resource } from '../../api/lists/list.ts'
import { memberRoles } from '../../api/schema/values.ts'
import { described } from '../../api/schema/response-schemas.ts'
import { user } from './user.ts'
import rows from '../../../sql/members/list-users.sql'

export const users: Resource = {
  rows,
  item: user,
  id: 'm.user_id',
  sorts: {
    name: ['lower(u.name) collate "C"', 'text'],
    joinedAt: ['m.joined_at', 'timestamptz'],
  },
  defaultSort: 'name',
  filters: { role: choice(memberRoles), active: flag, teamId: described(ids, 'Members of these teams.'), q: search },
  scope: 'project',
}

export const listUsers = listEndpoint(users, {
  operationId: 'listUsers',
  tag: 'People',
  summary: 'List users',
  description: lines(
    'The users of the project, by name: only they can be given its tasks or watch them.',
    'People who left are among them until they are removed; `active=true` leaves them out.',
    '',
    '`teamId` finds the members of a team that works on the project, as far as they are users of it.',
    '`q` searches names and addresses.',
  ),
})
