// Defines the response schema of teams.

import * as v from 'valibot'
import { count, described, id, moment, named, text } from '../../api/responses/response-schemas.ts'

export const team = named('Team', 'A team that works on the project.', {
  id,
  name: text(1, 200),
  description: v.nullable(text(0, 20_000)),
  createdAt: moment,
  updatedAt: moment,
  memberCount: described(
    count,
    'The number of members who are users of the project, which is what `users?teamId=` lists.',
  ),
})
