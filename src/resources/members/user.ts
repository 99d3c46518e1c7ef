// Defines the response schema of users.

import * as v from 'valibot'
import { described, id, moment, named, text } from '../../api/schema/response-schemas.ts'
import { memberRoles } from '../../api/schema/values.ts'

export const userName = text(1, 200)

export const user = named('User', 'Somebody who is a user of the project.', {
  id,
  name: userName,
  email: v.pipe(text(3, 320), v.regex(/^[^@]+@[^@]+$/)),
  role: described(v.picklist(memberRoles), 'What this user is in the project.'),
  active: described(v.boolean(), '`false` for people who left: what they did keeps their name.'),
  joinedAt: described(moment, 'When this user came into the project.'),
  updatedAt: described(moment, 'When name, address, role or `active` were last changed.'),
})

/** A user inside another object. */
export const person = named('Person', 'A user, by name.', { id, name: userName })
