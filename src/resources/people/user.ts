// Defines the response schema of users.

import * as v from 'valibot'
import { described, id, moment, named, text } from '../../api/responses/response-schemas.ts'
import { memberRoles } from '../../api/input/values.ts'

export const userName = text(1, 200)

export const user = named('User', 'A user of the project.', {
  id,
  name: userName,
  email: described(v.nullable(v.pipe(text(3, 320), v.regex(/^[^@]+@[^@]+$/))), '`null` if none is known.'),
  role: described(v.picklist(memberRoles), 'The role of the user in the project.'),
  active: described(v.boolean(), '`false` for users who have left. Their past work keeps their name.'),
  joinedAt: described(moment, 'When the user joined the project.'),
  updatedAt: described(moment, 'When `name`, `email`, `role` or `active` last changed.'),
})

/** A user inside another object. */
export const person = named('Person', 'The id and name of a user.', { id, name: userName })
