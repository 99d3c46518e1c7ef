// GET /projects/:projectId/users

import { lines } from '../http/endpoint.ts'
import { choice, flag, ids, search } from '../lists/filters.ts'
import { listOf, ofProject } from '../lists/list.ts'
import { memberRoles } from '../values.ts'
import { described } from '../shown.ts'
import { user } from './user.ts'
import rows from '../../sql/members/users.sql'

export const listUsers = listOf(
  {
    rows,
    item: user,
    sorts: { name: 'text', joinedAt: 'moment' },
    defaultSort: 'name',
    filters: { role: choice(memberRoles), active: flag, teamId: described(ids, 'Members of these teams.'), q: search },
    scope: ofProject,
  },
  {
    operationId: 'listUsers',
    summary: 'List users',
    description: lines(
      'The users of the project, by name: only they can be given its tasks or watch them.',
      'People who left are among them until they are removed; `active=true` leaves them out.',
      '',
      '`teamId` finds the members of a team that works on the project, as far as they are users of it.',
      '`q` searches names and addresses.',
    ),
  },
)
