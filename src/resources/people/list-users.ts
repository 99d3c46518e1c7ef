// GET /projects/:projectId/users

import { lines } from '../../api/endpoint.ts'
import { choice, flag, ids, search } from '../../api/lists/filters.ts'
import { listEndpoint } from '../../api/lists/list.ts'
import type { ListDefinition } from '../../api/lists/page-query.ts'
import { include } from '../../db/statements/template.ts'
import { memberRoles } from '../../api/input/values.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { user } from './user.ts'
import rows from '../../../sql/people/list-users.sql'
import userFields from '../../../sql/people/user-fields.sql'

export const users: ListDefinition = {
  of: 'project',
  rows: include(rows, { userFields }),
  item: user,
  id: 'm.user_id',
  sorts: {
    name: ['lower(u.name) collate "C"', 'text'],
    joinedAt: ['m.joined_at', 'timestamptz'],
  },
  defaultSort: 'name',
  filters: {
    role: described(choice(memberRoles), 'The role of the user in the project.'),
    active: described(flag, '`true`: users who have not left; `false`: users who have left.'),
    teamId: described(ids, 'Members of these teams.'),
    q: search,
  },
  indexes: { joinedAt: [] },
}

export const listUsers = listEndpoint(users, {
  operationId: 'listUsers',
  tag: 'People',
  summary: 'List users',
  description: lines(
    'Returns the users of a project, sorted by name. Only they can be assigned to its tasks or watch them. Users who',
    'have left are included until they are removed from the project; `active=true` excludes them.',
    '',
    '`teamId` selects members of the given teams. Only teams that work on the project and members who are users of the',
    'project count. `q` searches names and email addresses.',
  ),
})
