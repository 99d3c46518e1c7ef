// GET /projects/:projectId/teams

import { lines } from '../../api/endpoint.ts'
import { ids, search } from '../../api/lists/filters.ts'
import { listEndpoint } from '../../api/lists/list.ts'
import type { ListDefinition } from '../../api/lists/page-query.ts'
import { include } from '../../db/statements/template.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { team } from './team.ts'
import rows from '../../../sql/people/list-teams.sql'
import teamFields from '../../../sql/people/team-fields.sql'

export const teams: ListDefinition = {
  of: 'project',
  rows: include(rows, { teamFields }),
  item: team,
  id: 'pt.team_id',
  sorts: {
    name: ['lower(t.name) collate "C"', 'text'],
    createdAt: ['t.created_at', 'timestamptz'],
  },
  defaultSort: 'name',
  filters: { q: search, userId: described(ids, 'Teams with any of these users as members.') },
}

export const listTeams = listEndpoint(teams, {
  operationId: 'listTeams',
  tag: 'People',
  summary: 'List teams',
  description: lines(
    'Returns the teams that work on a project, sorted by name. To list the members of a team, use `users?teamId=`.',
    '',
    '`userId` selects the teams of a user of the project. `q` searches names and descriptions.',
  ),
})
