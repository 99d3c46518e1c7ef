// GET /projects/:projectId/teams

import { lines } from '../../api/endpoint.ts'
import { ids, search } from '../../api/lists/filters.ts'
import { listEndpoint, type Resource } from '../../api/lists/list.ts'
import { described } from '../../api/schema/response-schemas.ts'
import { team } from './team.ts'
import rows from '../../../sql/members/list-teams.sql'

export const teams: Resource = {
  rows,
  item: team,
  id: 'pt.team_id',
  sorts: {
    name: ['lower(t.name) collate "C"', 'text'],
    createdAt: ['t.created_at', 'timestamptz'],
  },
  defaultSort: 'name',
  filters: { q: search, userId: described(ids, 'Teams that have these members.') },
  scope: 'project',
}

export const listTeams = listEndpoint(teams, {
  operationId: 'listTeams',
  tag: 'People',
  summary: 'List teams',
  description: lines(
    'The teams that work on the project, by name. Who is in one is listed by `users?teamId=`.',
    '',
    '`userId` finds the teams of a user of the project. `q` searches names and descriptions.',
  ),
})
