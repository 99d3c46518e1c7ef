// GET /projects/:projectId/teams

import { lines } from '../http/endpoint.ts'
import { ids, search } from '../lists/filters.ts'
import { listOf, ofProject } from '../lists/list.ts'
import { described } from '../shown.ts'
import { team } from './team.ts'
import rows from '../../sql/members/teams.sql'

export const listTeams = listOf(
  {
    rows,
    item: team,
    sorts: { name: 'text', createdAt: 'moment' },
    defaultSort: 'name',
    filters: { q: search, userId: described(ids, 'Teams that have these members.') },
    scope: ofProject,
  },
  {
    operationId: 'listTeams',
    summary: 'List teams',
    description: lines(
      'The teams that work on the project, by name. Who is in one is listed by `users?teamId=`.',
      '',
      '`userId` finds the teams of a user of the project. `q` searches names and descriptions.',
    ),
  },
)
